// SPDX-License-Identifier: Apache-2.0
// Limits of process, each with name, unit and reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto child_eof_grace = 2s;                // From the end of stdin to SIGTERM.
inline constexpr auto child_term_grace = 5s;               // From SIGTERM to SIGKILL. Editors give their children the same time.
inline constexpr std::size_t stderr_tail_bytes = 4 << 10;  // Bytes kept to explain a death: about forty lines.
inline constexpr std::size_t stderr_line_bytes = 8 << 10;  // A longer line of stderr is cut.
// From the end of a child's output to its exit: the kernel closes the output shortly before it reports the exit.
inline constexpr auto child_exit_patience = 1s;
// For the guard to take a message, or to exit. Both take microseconds.
inline constexpr auto guard_patience = 5s;

}  // namespace parlance::limits
