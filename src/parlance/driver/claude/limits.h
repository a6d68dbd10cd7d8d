// SPDX-License-Identifier: Apache-2.0
// The limits of driver/claude: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto claude_hook_timeout = 60s;                    // Of a hook that names none.
inline constexpr std::size_t claude_hook_output_bytes = 1 << 20;    // Of a hook's answer.
inline constexpr std::size_t claude_session_head_bytes = 64 << 10;  // Read of a session's file for a list of them.
inline constexpr std::int64_t claude_thinking_tokens = 16'000;      // When a person wants it to think.

}  // namespace parlance::limits
