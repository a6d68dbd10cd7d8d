// SPDX-License-Identifier: Apache-2.0
// Limits of protocol/claude, each with name, unit and reason. Values.
#pragma once

#include <chrono>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto claude_start = 60s;           // For its first answer: up to 4 s, on a busy machine many times more.
inline constexpr auto claude_call_timeout = 30s;    // For any other answer; 2.0.76 never answers unknown requests.
inline constexpr auto claude_interrupt_grace = 2s;  // For the result of an interrupted turn.
inline constexpr auto claude_eof_grace = 2s;        // From the end of stdin to SIGTERM: 0.1 s, or the time of a running tool.
inline constexpr auto claude_term_grace = 2s;       // From SIGTERM to SIGKILL: usually 0.2 s.

}  // namespace parlance::limits
