// SPDX-License-Identifier: Apache-2.0
// The limits of hub/conversation: the name, the unit and the reason for the number. Values.
#pragma once

#include <cstddef>

namespace parlance::limits {

inline constexpr std::size_t file_read_bytes = 256 << 10;  // Of one answer to a model: some 64,000 tokens.
inline constexpr std::size_t file_edit_bytes = 8 << 20;    // Of a file that is written or edited.

}  // namespace parlance::limits
