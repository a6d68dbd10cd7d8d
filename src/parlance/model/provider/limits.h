// SPDX-License-Identifier: Apache-2.0
// The limits of model/provider: the name, the unit and the reason for the number. Values.
#pragma once

#include <cstddef>

namespace parlance::limits {

inline constexpr std::size_t model_error_text_bytes = 600;    // Of a server's own words in our error: its sentence, not its page.
inline constexpr long long model_max_tokens = 8192;           // Where an API demands a number: all current models allow it.
inline constexpr std::size_t model_known_attachments = 1024;  // Hashes of attachments, 8 KiB: more than a server sees in a day.
inline constexpr std::size_t model_known_habits = 1000;       // Models of a server with forms of their own.
inline constexpr std::size_t model_kept_reasonings = 256;     // Signed thinking kept by call id, for one tool loop each.

}  // namespace parlance::limits
