// SPDX-License-Identifier: Apache-2.0
// The vectors of memories: rows in the database for every embedder, and a VectorIndex in memory for the current embedder. The
// first search loads the index; the log of changes of all processes keeps it current. Blocking; the database's thread, inside a
// snapshot or a transaction.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/memory/embedder.h"
#include "parlance/memory/store.h"
#include "parlance/memory/vector/vector_index.h"
#include "parlance/store/memory/kept_by_number.h"
#include "parlance/store/memory/memory_source.h"

namespace parlance::store {

class MemoryVectors {
 public:
  // Bytes of cached float rows: results of the last searches, mostly shared by the next. 2,500 rows of 384 components.
  static constexpr std::size_t exact_bytes = 4 << 20;

  MemoryVectors(MemorySource& source, memory::VectorIndexSettings settings) : source_(source), settings_(settings) {}

  // Sets the current embedder. A change reloads the index.
  void use(const memory::EmbedderInfo& embedder);
  const memory::EmbedderInfo& embedder() const { return embedder_; }

  // Updates the index to the state of the database.
  Result<void> sync();
  // Searches the index; nearest first.
  std::vector<memory::VectorIndex::Found> nearest(const memory::Vector& query, std::size_t limit,
                                                  std::optional<memory::Category> category);
  // The same with bounds, without exact rows (memory::VectorIndex::near).
  std::optional<std::vector<memory::VectorIndex::Near>> near(const memory::Vector& query, std::size_t limit,
                                                             std::optional<memory::Category> category) const;
  void settle(const memory::Vector& query, std::size_t limit, std::vector<memory::VectorIndex::Near>& near);
  std::vector<std::optional<double>> highest_cosines(const memory::Vector& query, std::span<const std::int64_t> numbers) const;
  // Prefetches exact rows: one request for a remote database.
  Result<void> expect(std::span<const std::int64_t> numbers);
  // By the memory's exact row; no value without a vector.
  Result<std::optional<double>> cosine(const memory::Vector& query, std::int64_t number);

  Result<std::uint64_t> count() { return source_.count_vectors(embedder_); }  // vectors of the current embedder in the database
  std::size_t index_bytes() const { return index_ != nullptr ? index_->bytes() : 0; }
  // Fills the index's statistics; measures a graph's recall the first time.
  void describe(memory::Stats& stats);
  // Enough rows for a graph in a long-running program.
  bool wants_graph(std::uint64_t rows) const { return rows * embedder_.dimension >= settings_.approximate_from_bytes; }
  // True once after the build of a graph: its recall can be measured.
  bool take_new_graph() { return std::exchange(new_graph_, false); }
  // For long-running programs: the build of a graph pays off.
  void allow_graph() { graph_allowed_ = true; }

 private:
  class Exact;
  Result<void> ask_number();
  // A memory's float row; null: no vector.
  Result<const memory::Vector*> exact_row(std::int64_t number);
  Result<void> load(std::int64_t last_change);
  Result<void> read_all(memory::VectorIndex& index);
  Result<void> apply(std::int64_t after);

  MemorySource& source_;
  memory::VectorIndexSettings settings_;
  memory::EmbedderInfo embedder_;
  std::int64_t number_ = 0;  // number of the embedder; 0: unknown, or without vectors
  std::unique_ptr<memory::VectorIndex> index_;
  KeptByNumber<memory::Vector> exact_{exact_bytes};
  std::int64_t seen_change_ = 0;
  bool graph_allowed_ = false;
  bool new_graph_ = false;
  std::optional<double> recall_;  // of the current graph
};

}  // namespace parlance::store
