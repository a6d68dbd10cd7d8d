// SPDX-License-Identifier: Apache-2.0
// The limits of server/agent: the name, the unit and the reason for the number. Values.
#pragma once

#include <cstddef>

namespace parlance::limits {

// Histories for ContinueChat: 170 conversations of default_history_bytes, or 512 conversations that are shorter. A gateway sends
// a forgotten history again, so the limits cost time and no message.
inline constexpr std::size_t kept_history_bytes = 64 << 20;
inline constexpr std::size_t kept_histories = 1024;  // digests: the newest two of each conversation

}  // namespace parlance::limits
