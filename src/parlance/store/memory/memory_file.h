// SPDX-License-Identifier: Apache-2.0
// The memory of one person in a file: a blocking MemoryDatabase without users. One thread at a time.
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

  // The vectors belong to the entries, in order.
  Result<std::vector<memory::Put>> put(const std::vector<memory::NewEntry>& entries, const Embedded& embedded = {});
  Result<memory::Entry> get(const std::string& id);
  // `embedded`: the query's vector; empty: by keywords alone.
  Result<std::vector<memory::Hit>> search(const memory::Query& query, const Embedded& embedded = {},
                                          SearchMode mode = SearchMode::bounded);
  // Bytes of cached rows.
  std::size_t kept_bytes() const { return rows_ ? rows_->bytes() : 0; }
  Result<memory::Page> list(const memory::ListQuery& query);
  Result<std::uint64_t> forget(const memory::Forget& what);
  // `embedder`: counts its vectors; an empty id: none.
  Result<memory::Stats> stats(const memory::EmbedderInfo& embedder = {});

  // ---- missing vectors; several processes may call these at once -----------------------------------------------------------
  // See MemoryDatabase for the methods below.
  void allow_graph() { graph_allowed_ = true; }
  // True once after the build of a graph: `stats` then measures its recall and stores it for all processes.
  bool take_new_graph() { return vectors_ && vectors_->take_new_graph(); }
  // Makes this embedder the wanted one. The latest claim counts.
  Result<void> claim_embedder(const memory::EmbedderInfo& embedder);
  Result<bool> has_claim(const memory::EmbedderInfo& embedder);
  Result<EmbeddedCount> count_embedded(const memory::EmbedderInfo& embedder);
  // From the memory `from` on, in order of numbers.
  Result<UnembeddedPage> unembedded(const memory::EmbedderInfo& embedder, std::int64_t from, std::size_t limit);
  Result<std::int64_t> last_number();
  // Adds vectors of unchanged memories and drops the others. Returns the number of new vectors.
  Result<std::uint64_t> add_vectors(const std::vector<Unembedded>& rows, const Embedded& embedded);
  // Once all memories have a vector of `embedder`: removes some vectors of other embedders. True: more remain.
  Result<bool> drop_other_vectors(const memory::EmbedderInfo& embedder);

 private:
  Result<void> open();
  Result<void> open_now();
  // Switches vectors_ to the embedder of `embedded`. Null: the text has no vector, and only its words count.
  const memory::Vector* vector_at(const Embedded& embedded, std::size_t index);
  Result<memory::Put> put_entry(const memory::NewEntry& entry, const memory::Vector* vector);
  Result<void> add_similar(const std::string& text, const memory::Vector* vector, memory::Put& put);
  Result<std::vector<memory::Hit>> search_now(const memory::Query& query, const memory::Vector* vector,
                                              SearchMode mode = SearchMode::bounded);
  Result<void> notice_changes();
  // Runs `work` in a transaction.
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
  bool wrote_ = false;             // this connection wrote since then
  bool graph_allowed_ = false;
};

}  // namespace parlance::store
