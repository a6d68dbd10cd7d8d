// SPDX-License-Identifier: Apache-2.0
// The limits of store/memory: name, unit, reason. Values.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace parlance::limits {

using namespace std::chrono_literals;

// Texts per search, read for their words, and words looked up per query: a search takes half a millisecond.
inline constexpr std::size_t memory_candidates = 64;
inline constexpr std::size_t memory_scored = 32;  // Scored texts among the candidates; vectors add further texts.
inline constexpr std::size_t memory_query_parts = 16;
inline constexpr std::size_t memory_other_words = 20;  // Synonyms looked up per word of a query.
// Larger puts skip the search for similar memories: one search each is too slow for an import of thousands.
inline constexpr std::size_t memory_similar_puts = 16;
inline constexpr std::size_t memory_similar_returned = 5;
inline constexpr std::int64_t memory_changes_kept = 100'000;  // Kept changes of the log; slower indexes reload in a second.
inline constexpr std::size_t memory_embed_batch = 128;        // Texts per batch in the background: 20 ms of the worker.
inline constexpr auto memory_embed_recheck = 30s;             // Other processes may store memories without vectors.
inline constexpr auto memory_embedder_pause = 5s;             // Pause after an embedder's failure.

}  // namespace parlance::limits
