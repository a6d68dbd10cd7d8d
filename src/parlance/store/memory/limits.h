// SPDX-License-Identifier: Apache-2.0
// The limits of store/memory: the name, the unit and the reason for the number. Values.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace parlance::limits {

using namespace std::chrono_literals;

// Texts that one search looks at for their words, and words of a query that are looked up: a search takes half a millisecond.
inline constexpr std::size_t memory_candidates = 64;
inline constexpr std::size_t memory_scored = 32;  // Of those; the vectors propose others.
inline constexpr std::size_t memory_query_parts = 16;
inline constexpr std::size_t memory_other_words = 20;  // Of one word of a query that the index is asked for as well.
// A put of so many looks for others that say nearly the same; that is a search each, too much for an import of thousands.
inline constexpr std::size_t memory_similar_puts = 16;
inline constexpr std::size_t memory_similar_told = 5;
inline constexpr std::int64_t memory_changes_kept =
    100'000;                                            // Of the log that indexes follow; behind it they load anew, in a second.
inline constexpr std::size_t memory_embed_batch = 128;  // Texts that get vectors in the background at once: 20 ms of the worker.
inline constexpr auto memory_embed_recheck = 30s;       // Other processes store without vectors, too.
inline constexpr auto memory_embedder_pause = 5s;       // An embedder that failed is left alone for so long.

}  // namespace parlance::limits
