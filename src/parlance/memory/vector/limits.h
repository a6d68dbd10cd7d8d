// SPDX-License-Identifier: Apache-2.0
// Limits of memory/vector, each with name, unit and reason. Values.
#pragma once

#include <cstddef>

namespace parlance::limits {

// For a vector search: kept rows of the scan, and exact rows read at once. Reading ends when no other row can be among the
// nearest, mostly after the first time. The maximum distinguishes a thousand near-duplicates.
inline constexpr std::size_t vector_shortlist_rows = 128;
inline constexpr std::size_t vector_shortlist_most = 1600;
inline constexpr std::size_t vector_exact_rows = 32;
// int8 rows for a core in 15 ms (900,000 of 384 components; bench/results.md). A graph searches larger sets.
inline constexpr std::size_t approximate_index_bytes = 350'000'000;
// Candidates of the graph's searches. The number doubles until the searches find this share of the true ten nearest. If the
// maximum does not suffice, scanning continues: slower than a graph, but exact.
inline constexpr std::size_t approximate_breadth = 64;
inline constexpr std::size_t approximate_breadth_most = 1024;
inline constexpr double approximate_recall = 0.99;

}  // namespace parlance::limits
