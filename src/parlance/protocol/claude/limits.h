// SPDX-License-Identifier: Apache-2.0
// The limits of protocol/claude: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr auto claude_start = 60s;         // For its first answer: it takes up to 4 s, on a busy machine many times that.
inline constexpr auto claude_call_timeout = 30s;  // For any other; 2.0.76 never answers what it does not know.
inline constexpr auto claude_interrupt_grace = 2s;  // For the result of a turn that is to end.
inline constexpr auto claude_eof_grace = 2s;  // After its stdin closed, before SIGTERM: it needs 0.1 s, or a running tool's time.
inline constexpr auto claude_term_grace = 2s;  // After SIGTERM, before SIGKILL: it needs 0.2 s.

}  // namespace parlance::limits
