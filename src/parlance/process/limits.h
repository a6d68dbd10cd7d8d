// SPDX-License-Identifier: Apache-2.0
// The limits of process: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto child_eof_grace = 2s;                // After its stdin closed, before SIGTERM.
inline constexpr auto child_term_grace = 5s;               // After SIGTERM, before SIGKILL (what editors give their children).
inline constexpr std::size_t stderr_tail_bytes = 4 << 10;  // Kept to explain a death; about forty lines.
inline constexpr std::size_t stderr_line_bytes = 8 << 10;  // A longer line of stderr is cut; logs and people read no longer ones.
// Between the end of a child's output and its end: the kernel closes the one shortly before it tells the other.
inline constexpr auto child_exit_patience = 1s;
// For the process that kills our children should we die: to take a message, to end. It does both in microseconds.
inline constexpr auto guard_patience = 5s;

}  // namespace parlance::limits
