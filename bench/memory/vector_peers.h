// SPDX-License-Identifier: Apache-2.0
// The rivals of our vector index: other ways to find the ten nearest rows of f32, each over the same rows. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace parlance::bench {

using Numbers = std::vector<std::int64_t>;
using Searcher = std::function<Numbers(std::span<const float> query)>;  // the ten nearest, nearest first

// In double precision: the truth.
Numbers true_ten(std::span<const float> rows, std::size_t dimension, std::span<const float> query);

// A plain loop over all rows with AVX2 and FMA. Empty where the processor has none.
Searcher f32_scan(std::span<const float> rows, std::size_t dimension);

// With its own float space, compiled for AVX2. `breadth`: how many candidates a search keeps.
using GraphSearcher = std::function<Numbers(std::span<const float> query, std::size_t breadth)>;
GraphSearcher hnswlib_f32(std::span<const float> rows, std::size_t dimension);

// The extension at `library`, in a database in memory; null and `why` after a failed load.
Searcher sqlite_vec(const std::string& library, std::span<const float> rows, std::size_t dimension, std::string& why);

}  // namespace parlance::bench
