// SPDX-License-Identifier: Apache-2.0
// The limits of toolbox/mcp: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto mcp_tool_time = 10min;     // … a tool of one that is configured: some run builds.
inline constexpr auto mcp_first_wait = 10s;      // A turn waits so long for a server that starts: npx installs some first.
inline constexpr auto mcp_reconnect_first = 1s;  // To a server that went away; doubles up to
inline constexpr auto mcp_reconnect_most = 60s;
inline constexpr auto mcp_list_pause = 500ms;  // Between two fetches of a list, for servers that announce changes without end.

}  // namespace parlance::limits
