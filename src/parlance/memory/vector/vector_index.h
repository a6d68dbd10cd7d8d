// SPDX-License-Identifier: Apache-2.0
// The vectors of one embedder in memory, and the nearest of them to a query: int8 rows are scanned (AVX-512 VNNI, AVX2 or plain
// C++, whatever the processor has), the shortlist is measured again with the exact f32 rows. Adding, replacing, removing and
// filtering cost nothing extra. Where there are so many rows that a scan would be felt, a graph over them is built beside.
// One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "parlance/memory/vector/limits.h"
#include "parlance/memory/vector/quantized_vector.h"
#include "parlance/memory/vector/vector_scan.h"

namespace parlance::memory {

// Where the exact rows are: in memory (exact_rows.h), or in the database that the index was filled from. Rows that are gone are left
// as zeros, and are then not found.
class ExactRows {
 public:
  virtual ~ExactRows() = default;
  // out[i * dimension …] is the row numbers[i]. `out` comes filled with zeros. Some 32 rows at a time.
  virtual void read(std::span<const std::int64_t> numbers, std::span<float> out) = 0;
};

struct VectorIndexSettings {
  // int8 rows in bytes from which on a graph is wanted.
  std::size_t approximate_from_bytes = limits::approximate_index_bytes;
  double approximate_recall = limits::approximate_recall;  // A graph that does not reach it on the rows at hand is not used.
  const ScanKernel* kernel = nullptr;                      // nullptr: the fastest that this processor has
};

class VectorIndex {
 public:
  // `groups` are the categories a row may be filtered by: bit g of a filter admits the rows of group g, which is below 32.
  static constexpr std::uint32_t all_groups = ~std::uint32_t{0};

  struct Found {
    std::int64_t number = 0;
    float cosine = 0;
    friend bool operator==(const Found&, const Found&) = default;
  };

  explicit VectorIndex(std::size_t dimension, VectorIndexSettings settings = {});
  ~VectorIndex();
  VectorIndex(VectorIndex&&) noexcept;
  VectorIndex& operator=(VectorIndex&&) noexcept;

  // Adds or replaces. A row is of length 1, or zeros: the cosines of the shortlist are taken from int8 rows as they are.
  void set(std::int64_t number, std::span<const std::int8_t> bytes, float scale, std::uint8_t group);
  // The same for many numbers that have no row yet, as when a table is loaded: `reserve` first how many there will be in all.
  void reserve(std::size_t rows);
  void add(std::int64_t number, std::span<const std::int8_t> bytes, float scale, std::uint8_t group = 0);
  bool set_group(std::int64_t number, std::uint8_t group);  // false: no such row
  bool remove(std::int64_t number);                         // false: it was not there
  void clear();

  std::size_t size() const;
  std::size_t dimension() const;
  std::size_t bytes() const;  // that it holds in memory, spare room and graph included

  // The `limit` nearest rows, nearest first; equal ones by number. Nothing for a query of zeros. Exact, unless approximate(): every
  // row is looked at, and whatever the error of int8 may have put in the wrong order is ordered by the cosines of the exact rows.
  std::vector<Found> search(std::span<const float> query, std::size_t limit, ExactRows& exact,
                            std::uint32_t groups = all_groups) const;

  // ---- what the int8 rows alone tell ------------------------------------------------------------------------------------
  // A row that may be among the `limit` nearest, and between which cosines it lies: never outside, but for once in a hundred
  // million. Certain: it is among them.
  struct Near {
    std::int64_t number = 0;
    double lowest = 0;
    double highest = 0;
    bool certain = false;
  };
  // All that may be, in any order. nullopt: only `search` tells, because a graph is in use, or too many lie too close together.
  std::optional<std::vector<Near>> near(std::span<const float> query, std::size_t limit, std::uint32_t groups = all_groups) const;
  // Measures those that are not certain: afterwards exactly the `limit` nearest are.
  void settle(std::span<const float> query, std::size_t limit, std::vector<Near>& near, ExactRows& exact) const;
  // What the cosine with each of these rows is at most. nullopt: there is no such row.
  std::vector<std::optional<double>> highest_cosines(std::span<const float> query, std::span<const std::int64_t> numbers) const;

  // ---- the graph ---------------------------------------------------------------------------------------------------------
  // Searches without a filter use it once it is built; rows that came later are scanned beside it. Its owner says, whenever it
  // is idle or has changed something:   index.poll(); if (index.wants_approximate()) index.start_approximate();
  bool wants_approximate() const;  // enough rows, or enough of them new or gone since the last one, and none is being built
  void start_approximate();        // on a thread of its own; takes minutes for a million rows; searches go on
  void cancel_approximate();       // The build; a graph that is in use stays.
  std::optional<double> approximate_progress() const;  // 0 to 1, while one is built
  bool poll();                                         // Takes over what is finished. True: approximate() may have changed.
  bool approximate() const;                            // A graph is in use.

  // The share of the true ten nearest rows that the graph finds, for some of the rows themselves, evenly picked. nullopt: no graph.
  // Each of the sample costs an exact search.
  std::optional<double> measure_recall(std::size_t sample, ExactRows& exact) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace parlance::memory
