// SPDX-License-Identifier: Apache-2.0
// The limits of face/openai: the name, the unit and the reason for the number. Values.
#pragma once

#include <cstddef>

namespace parlance::limits {

inline constexpr std::size_t unsent_answer_bytes =
    8 << 20;                                     // Of one HTTP answer whose client reads more slowly than the model writes.
inline constexpr std::size_t waiting_chats = 8;  // Behind the running one, on one /ws/chat connection.

}  // namespace parlance::limits
