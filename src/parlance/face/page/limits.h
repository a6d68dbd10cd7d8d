// SPDX-License-Identifier: Apache-2.0
// The limits of face/page: name, unit, reason. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

// Conversations of a snapshot: several screens of the list, and some tens of milliseconds for the JSON on a slow phone.
inline constexpr std::size_t page_conversations = 200;
inline constexpr std::size_t page_conversations_more = 1000;   // Default of a later page.
inline constexpr std::size_t page_conversations_most = 5000;   // … of one page, some MiB.
inline constexpr std::size_t page_wanted_conversations = 100;  // Named by a page: the conversations with a transcript.

// Changes within this time travel in a single message: a screen shows 60 frames a second.
inline constexpr auto page_batch_time = 16ms;
inline constexpr std::size_t page_requests = 64;                // Running for a page; beyond, reads stop.
inline constexpr std::size_t page_change_texts = 1024;          // Changes with cached JSON for further pages,
inline constexpr std::size_t page_change_text_bytes = 4 << 20;  // … and the size of the cache.

}  // namespace parlance::limits
