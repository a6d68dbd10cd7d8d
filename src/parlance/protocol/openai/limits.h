// SPDX-License-Identifier: Apache-2.0
// The limits of protocol/openai: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

inline constexpr std::size_t embed_answer_bytes = 64 << 20;  // 32 vectors of 65,536 numbers, as text.
inline constexpr auto embed_total = 60s;                     // One call with all its attempts; deployed clients wait as long.

}  // namespace parlance::limits
