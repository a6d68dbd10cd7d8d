// SPDX-License-Identifier: Apache-2.0
// The limits of toolbox/mcp: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto mcp_tool_time = 10min;     // Of a call of a configured server's tool: some tools run builds.
inline constexpr auto mcp_first_wait = 10s;      // Wait of a turn for starting servers; npx installs some first.
inline constexpr auto mcp_reconnect_first = 1s;  // After a lost connection; doubles up to
inline constexpr auto mcp_reconnect_most = 60s;
inline constexpr auto mcp_list_pause = 500ms;  // Between two fetches of a list; some servers announce changes permanently.

inline constexpr std::size_t mcp_log_lines = 100;       // Kept lines of a server for the page.
inline constexpr std::size_t mcp_log_line_bytes = 500;  // Of a kept line; longer lines are cut.

}  // namespace parlance::limits
