// SPDX-License-Identifier: Apache-2.0
// The limits of face/openai: name, unit, reason. Values.
#pragma once

#include <cstddef>

namespace parlance::limits {

inline constexpr std::size_t unsent_answer_bytes = 8 << 20;  // Per HTTP answer with a client slower than the model.
inline constexpr std::size_t waiting_chats = 8;              // Behind the running one, on one /ws/chat connection.

}  // namespace parlance::limits
