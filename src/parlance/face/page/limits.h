// SPDX-License-Identifier: Apache-2.0
// The limits of face/page: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

// Changes of one such time travel to a page in one message: a screen shows 60 pictures a second.
inline constexpr auto page_batch_time = 16ms;
inline constexpr std::size_t page_requests = 64;                // Running for one page; above it reading stops.
inline constexpr std::size_t page_change_texts = 1024;          // Changes whose JSON is kept for the next page that wants it,
inline constexpr std::size_t page_change_text_bytes = 4 << 20;  // … and how much of it.

}  // namespace parlance::limits
