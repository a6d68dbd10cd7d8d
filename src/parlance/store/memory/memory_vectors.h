// SPDX-License-Identifier: Apache-2.0
// The vectors of the memories: rows in the database for every embedder, and those of the one in use also in memory, in a
// VectorIndex that is loaded at the first search and then kept up by the log of changes, whoever makes them. Blocking; the
// database's thread, inside a snapshot or a transaction.
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
  // Float rows that are kept: of the nearest of the last searches, which the next ones mostly share. 2,500 of 384 components.
  static constexpr std::size_t exact_bytes = 4 << 20;

  MemoryVectors(MemorySource& source, memory::VectorIndexSettings settings) : source_(source), settings_(settings) {}

  // Whose vectors are meant from here on. Another one than before: the index is loaded anew.
  void use(const memory::EmbedderInfo& embedder);
  const memory::EmbedderInfo& embedder() const { return embedder_; }

  // Brings the index to the state of the database.
  Result<void> sync();
  // Of the index. Nearest first.
  std::vector<memory::VectorIndex::Found> nearest(const memory::Vector& query, std::size_t limit,
                                                  std::optional<memory::Category> category);
  // The same as far as it can be told without reading exact rows (memory::VectorIndex::near).
  std::optional<std::vector<memory::VectorIndex::Near>> near(const memory::Vector& query, std::size_t limit,
                                                             std::optional<memory::Category> category) const;
  void settle(const memory::Vector& query, std::size_t limit, std::vector<memory::VectorIndex::Near>& near);
  std::vector<std::optional<double>> highest_cosines(const memory::Vector& query, std::span<const std::int64_t> numbers) const;
  // These will be measured: where that is a way to a server, it is gone once.
  Result<void> expect(std::span<const std::int64_t> numbers);
  // With one memory's own row; nothing when it has none.
  Result<std::optional<double>> cosine(const memory::Vector& query, std::int64_t number);

  Result<std::uint64_t> count() { return source_.count_vectors(embedder_); }  // of the embedder in use, in the database
  std::size_t index_bytes() const { return index_ != nullptr ? index_->bytes() : 0; }
  // What there is to tell of the index; measures the recall of a graph the first time.
  void describe(memory::Stats& stats);
  // So many that a program that runs for long searches them by a graph.
  bool wants_graph(std::uint64_t rows) const { return rows * embedder_.dimension >= settings_.approximate_from_bytes; }
  // Once after a graph was built: its recall can be measured.
  bool take_new_graph() { return std::exchange(new_graph_, false); }
  // This program runs for long enough that building a graph over a great many rows pays.
  void allow_graph() { graph_allowed_ = true; }

 private:
  class Exact;
  Result<void> ask_number();
  // A memory's float row; null: it has none.
  Result<const memory::Vector*> exact_row(std::int64_t number);
  Result<void> load(std::int64_t last_change);
  Result<void> read_all(memory::VectorIndex& index);
  Result<void> apply(std::int64_t after);

  MemorySource& source_;
  memory::VectorIndexSettings settings_;
  memory::EmbedderInfo embedder_;
  std::int64_t number_ = 0;  // of the embedder; 0: it has no vector yet, or is not known yet
  std::unique_ptr<memory::VectorIndex> index_;
  KeptByNumber<memory::Vector> exact_{exact_bytes};
  std::int64_t seen_change_ = 0;
  bool graph_allowed_ = false;
  bool new_graph_ = false;
  std::optional<double> recall_;  // of the graph in use
};

}  // namespace parlance::store
