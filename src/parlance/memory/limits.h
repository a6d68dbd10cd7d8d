// SPDX-License-Identifier: Apache-2.0
// The limits of memory: the name, the unit and the reason for the number. Values.
#pragma once

#include <cstddef>

namespace parlance::limits {

// ---- storage
inline constexpr std::size_t memory_text_bytes = 32 << 10;  // One memory; longer texts are documents.
inline constexpr std::size_t memory_query_bytes = 4 << 10;
inline constexpr std::size_t memory_hits = 100;

// ---- embeddings
inline constexpr std::size_t embedding_cache_bytes = 32 << 20;  // Of vectors kept by the hash of their text: 20,000 of 384.

}  // namespace parlance::limits
