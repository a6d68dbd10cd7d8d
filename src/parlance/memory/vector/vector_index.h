// SPDX-License-Identifier: Apache-2.0
// The vectors of one embedder in memory, and the search for the nearest: int8 rows are scanned (AVX-512 VNNI, AVX2 or plain C++,
// by the processor), and the shortlist is measured again with the exact f32 rows. Adding, replacing, removing and filtering have
// no extra cost. For large sets, a graph is built in addition. One thread at a time.
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

// Source of the exact rows: memory (exact_rows.h), or the database that filled the index. Missing rows stay zero, and are then
// not found.
class ExactRows {
 public:
  virtual ~ExactRows() = default;
  // out[i * dimension …] is the row numbers[i]. `out` is filled with zeros. Some 32 rows at a time.
  virtual void read(std::span<const std::int64_t> numbers, std::span<float> out) = 0;
};

struct VectorIndexSettings {
  // Bytes of int8 rows above which a graph is built.
  std::size_t approximate_from_bytes = limits::approximate_index_bytes;
  double approximate_recall = limits::approximate_recall;  // A graph below this recall on the present rows is not used.
  const ScanKernel* kernel = nullptr;                      // nullptr: the fastest for this processor.
};

class VectorIndex {
 public:
  // `groups` are the categories for filters: bit g of a filter admits the rows of group g, below 32.
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

  // Adds or replaces. A row has length 1, or is zero: the cosines of the shortlist use int8 rows unchanged.
  void set(std::int64_t number, std::span<const std::int8_t> bytes, float scale, std::uint8_t group);
  // The same for many numbers without a row, for loading a table: first `reserve` the total.
  void reserve(std::size_t rows);
  void add(std::int64_t number, std::span<const std::int8_t> bytes, float scale, std::uint8_t group = 0);
  bool set_group(std::int64_t number, std::uint8_t group);  // False: no such row.
  bool remove(std::int64_t number);                         // False: no such row.
  void clear();

  std::size_t size() const;
  std::size_t dimension() const;
  std::size_t bytes() const;  // Bytes in memory, with spare capacity and graph.

  // The `limit` nearest rows, nearest first; equal ones by number. Empty for a query of zeros. Exact, unless approximate():
  // every row is read, and the exact cosines correct the order of int8.
  std::vector<Found> search(std::span<const float> query, std::size_t limit, ExactRows& exact,
                            std::uint32_t groups = all_groups) const;

  // ---- estimates from the int8 rows alone -------------------------------------------------------------------------------
  // A row that may be among the `limit` nearest, with bounds of its cosine: exceeded once in a hundred million. Certain: it is
  // among them.
  struct Near {
    std::int64_t number = 0;
    double lowest = 0;
    double highest = 0;
    bool certain = false;
  };
  // All candidates, in any order. nullopt: only `search` can decide, because a graph is in use, or too many rows are too close
  // together.
  std::optional<std::vector<Near>> near(std::span<const float> query, std::size_t limit, std::uint32_t groups = all_groups) const;
  // Measures the uncertain candidates: afterwards exactly the `limit` nearest remain.
  void settle(std::span<const float> query, std::size_t limit, std::vector<Near>& near, ExactRows& exact) const;
  // Upper bound of the cosine with each of these rows. nullopt: no such row.
  std::vector<std::optional<double>> highest_cosines(std::span<const float> query, std::span<const std::int64_t> numbers) const;

  // ---- the graph ---------------------------------------------------------------------------------------------------------
  // Searches without a filter use the finished graph; later rows are scanned in addition. The owner calls, when idle or after a
  // change:   index.poll(); if (index.wants_approximate()) index.start_approximate();
  bool wants_approximate() const;  // Enough rows, or enough new or removed rows since the last graph, and no build in progress.
  void start_approximate();        // On a thread of its own; takes minutes for a million rows; searches continue.
  void cancel_approximate();       // Cancels the build; a graph in use stays.
  std::optional<double> approximate_progress() const;  // 0 to 1, during a build.
  bool poll();                                         // Takes a finished graph. True: approximate() may have changed.
  bool approximate() const;                            // A graph is in use.

  // The share of the true ten nearest rows that the graph finds, for evenly chosen rows as queries. nullopt: no graph. Each
  // sample costs an exact search.
  std::optional<double> measure_recall(std::size_t sample, ExactRows& exact) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace parlance::memory
