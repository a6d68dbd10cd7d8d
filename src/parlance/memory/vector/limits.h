// SPDX-License-Identifier: Apache-2.0
// The limits of memory/vector: the name, the unit and the reason for the number. Values.
#pragma once

#include <cstddef>

namespace parlance::limits {

// Of a vector search: rows of the scan that are kept, and of those, how many exact rows are read at once. Reading ends when no other can
// be among the nearest, mostly after the first time. With the most, a thousand near-duplicates are told apart.
inline constexpr std::size_t vector_shortlist_rows = 128;
inline constexpr std::size_t vector_shortlist_most = 1600;
inline constexpr std::size_t vector_exact_rows = 32;
// int8 rows that one core scans in 15 ms (900,000 of 384 components; bench/results.md): more are searched by a graph, …
inline constexpr std::size_t approximate_index_bytes = 350'000'000;
// … whose searches keep so many candidates, or twice as many until they find this share of the true ten nearest. Where the most
// does not, scanning goes on: it is slower than a graph, but right.
inline constexpr std::size_t approximate_breadth = 64;
inline constexpr std::size_t approximate_breadth_most = 1024;
inline constexpr double approximate_recall = 0.99;

}  // namespace parlance::limits
