// SPDX-License-Identifier: Apache-2.0
// Vectors to search, and the correct results: all rows, in double precision. For the tests of the vector index.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <span>
#include <vector>

#include "parlance/memory/vector/exact_rows.h"
#include "parlance/memory/vector/vector_index.h"

namespace parlance::memory::test {

// Texts have topics: rows are near one of some centres, and a few directions carry most of the information.
class Vectors {
 public:
  Vectors(std::size_t dimension, std::size_t topics, std::uint32_t seed) : random_(seed), dimension_(dimension) {
    for (std::size_t i = 0; i < topics; ++i) topics_.push_back(noise());
  }

  std::vector<float> uniform() { return normalized(noise()); }
  std::vector<float> near(std::span<const float> centre, float distance) {
    std::vector<float> made = noise();
    for (std::size_t i = 0; i < dimension_; ++i) made[i] = centre[i] + distance * made[i];
    return normalized(std::move(made));
  }
  std::vector<float> of_topic(std::size_t topic) { return near(topics_[topic % topics_.size()], 0.6F); }
  std::vector<float> clustered() { return of_topic(random_()); }
  std::size_t any(std::size_t below) { return random_() % below; }

 private:
  std::vector<float> noise() {
    std::vector<float> made(dimension_);
    for (float& component : made) component = normal_(random_);
    return made;
  }
  std::vector<float> normalized(std::vector<float> vector) {
    double squares = 0;
    for (const float component : vector) squares += double{component} * double{component};
    for (float& component : vector) component = static_cast<float>(component / std::sqrt(squares));
    return vector;
  }

  std::mt19937 random_;
  std::normal_distribution<float> normal_;
  std::size_t dimension_;
  std::vector<std::vector<float>> topics_;
};

// An index, its exact rows, and the same rows in the simplest container.
struct Indexed {
  struct Row {
    std::vector<float> vector{};
    std::uint8_t group = 0;
  };
  VectorIndex index;
  ExactRowsInMemory exact;
  std::map<std::int64_t, Row> rows{};

  explicit Indexed(std::size_t dimension, VectorIndexSettings settings = {}) : index(dimension, settings), exact(dimension) {}

  void set(std::int64_t number, std::vector<float> vector, std::uint8_t group = 0) {
    const QuantizedVector quantized = quantize(vector);
    index.set(number, quantized.bytes, quantized.scale, group);
    exact.set(number, vector);
    rows[number] = {.vector = std::move(vector), .group = group};
  }
  void remove(std::int64_t number) {
    index.remove(number);
    exact.remove(number);
    rows.erase(number);
  }

  std::vector<VectorIndex::Found> truth(std::span<const float> query, std::size_t limit,
                                        std::uint32_t groups = VectorIndex::all_groups) const {
    std::vector<VectorIndex::Found> all;
    for (const auto& [number, row] : rows) {
      if ((groups >> row.group & 1) == 0) continue;
      double dot = 0, query_squares = 0, row_squares = 0;
      for (std::size_t i = 0; i < query.size(); ++i) {
        dot += double{query[i]} * double{row.vector[i]};
        query_squares += double{query[i]} * double{query[i]};
        row_squares += double{row.vector[i]} * double{row.vector[i]};
      }
      all.push_back({.number = number, .cosine = static_cast<float>(dot / std::sqrt(query_squares * row_squares))});
    }
    std::ranges::sort(
        all, [](const auto& a, const auto& b) { return a.cosine != b.cosine ? a.cosine > b.cosine : a.number < b.number; });
    all.resize(std::min(all.size(), limit));
    return all;
  }

  // Number of the true nearest rows that a search finds: rows at least as near as the last of them. 0: the search found missing
  // rows, filtered rows, or duplicates.
  std::size_t hits(std::span<const float> query, std::size_t limit, std::uint32_t groups = VectorIndex::all_groups) {
    constexpr float rounding = 1e-6F;
    const auto expected = truth(query, limit, groups);
    std::size_t count = 0;
    std::set<std::int64_t> seen;
    for (const VectorIndex::Found& found : index.search(query, limit, exact, groups)) {
      const auto row = rows.find(found.number);
      if (row == rows.end() || (groups >> row->second.group & 1) == 0 || !seen.insert(found.number).second) return 0;
      if (found.cosine >= expected.back().cosine - rounding) ++count;
    }
    return count;
  }
};

}  // namespace parlance::memory::test
