// SPDX-License-Identifier: Apache-2.0
// The limits of agent: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>

namespace parlance::limits {

using namespace std::chrono_literals;

// ---- language models
inline constexpr std::size_t running_chats = 64;  // For an agent; each holds a connection and a history in memory.

// ---- storage
//
// Automatic recall before an answer: five memories, about 700 tokens, or none if the memory takes noticeably long.
inline constexpr auto recall_time = 1s;
inline constexpr std::size_t recall_entries = 5;
inline constexpr std::size_t recall_bytes = 3 << 10;
inline constexpr std::size_t recall_entry_bytes = 1 << 10;
inline constexpr std::size_t recall_kept = 64;  // Concurrent turns that repeat their first recall in later steps.

}  // namespace parlance::limits
