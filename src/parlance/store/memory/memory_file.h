// SPDX-License-Identifier: Apache-2.0
// The memory of one person in a file, blocking: what memory_database.h says, with nobody else in it. One thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/memory/embedder.h"
#include "parlance/memory/store.h"
#include "parlance/sqlite/database.h"
#include "parlance/store/memory/memory_database.h"
#include "parlance/store/memory/memory_keywords.h"
#include "parlance/store/memory/memory_rows.h"
#include "parlance/store/memory/memory_search.h"
#include "parlance/store/memory/memory_tables.h"
#include "parlance/store/memory/memory_vectors.h"

namespace parlance::store {

class MemoryFile {
 public:
  explicit MemoryFile(std::string state_folder, memory::VectorIndexSettings index = {});

  // The vectors belong to the entries, in their order.
  Result<std::vector<memory::Put>> put(const std::vector<memory::NewEntry>& entries, const Embedded& embedded = {});
  Result<memory::Entry> get(const std::string& id);
  // One vector, of the query; none: by keywords alone.
  Result<std::vector<memory::Hit>> search(const memory::Query& query, const Embedded& embedded = {},
                                          SearchWay way = SearchWay::bounded);
  // Of rows that searches have read, kept for the next ones.
  std::size_t kept_bytes() const { return rows_ ? rows_->bytes() : 0; }
  Result<memory::Page> list(const memory::ListQuery& query);
  Result<std::uint64_t> forget(const memory::Forget& what);
  // `embedder`: for whose vectors; an empty id: nobody's.
  Result<memory::Stats> stats(const memory::EmbedderInfo& embedder = {});

  // ---- vectors for those that have none; several processes may do this at once -------------------------------------------
  // A program that runs for long may build a graph over very many vectors.
  void allow_graph() { graph_allowed_ = true; }
  // True once after such a graph was built: `stats` then measures its recall and tells it to all who use the database.
  bool take_new_graph() { return vectors_ && vectors_->take_new_graph(); }
  // Says that this embedder's vectors are the ones wanted from now on. The last who says so counts.
  Result<void> claim_embedder(const memory::EmbedderInfo& embedder);
  Result<bool> has_claim(const memory::EmbedderInfo& embedder);
  Result<EmbeddedCount> count_embedded(const memory::EmbedderInfo& embedder);
  // From the memory `from` on, in the order of their numbers.
  Result<UnembeddedPage> unembedded(const memory::EmbedderInfo& embedder, std::int64_t from, std::size_t limit);
  Result<std::int64_t> last_number();
  // Of memories that are still there and as they were; the others' vectors are dropped. How many were new.
  Result<std::uint64_t> add_vectors(const std::vector<Unembedded>& rows, const Embedded& embedded);
  // Once all have a vector of `embedder`: removes those of the others, some at a time. True: there are more.
  Result<bool> drop_other_vectors(const memory::EmbedderInfo& embedder);

 private:
  Result<void> open();
  Result<void> open_now();
  // From here on vectors_ means this embedder's. Null: the text has no vector, and is found by its words.
  const memory::Vector* vector_at(const Embedded& embedded, std::size_t index);
  Result<memory::Put> put_one(const memory::NewEntry& entry, const memory::Vector* vector);
  Result<void> add_similar(const std::string& text, const memory::Vector* vector, memory::Put& put);
  Result<std::vector<memory::Hit>> search_now(const memory::Query& query, const memory::Vector* vector,
                                              SearchWay way = SearchWay::bounded);
  Result<void> notice_changes();
  // A transaction of the file's own.
  Result<void> write(const std::function<Result<void>()>& work);
  Result<void> share_recall(memory::Stats& stats);
  Result<void> trim_changes();
  Result<std::int64_t> page_begin(const memory::ListQuery& query);

  std::string folder_;
  memory::VectorIndexSettings index_;
  std::unique_ptr<sqlite::Database> db_;
  std::optional<MemoryTables> tables_;
  std::optional<MemoryVectors> vectors_;
  std::optional<MemoryKeywords> keywords_;
  std::optional<MemoryRows> rows_;
  std::int64_t data_version_ = 0;  // of the last search
  bool wrote_ = false;             // since then
  bool graph_allowed_ = false;
};

}  // namespace parlance::store
