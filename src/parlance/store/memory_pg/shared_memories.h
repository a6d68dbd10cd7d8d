// SPDX-License-Identifier: Apache-2.0
// The memories of all people in a PostgreSQL shared by agents' processes: a blocking MemoryDatabase. One thread at a time. Each
// search reads the end of the log of changes first, and so finds changes of other processes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parlance/memory/vector/vector_index.h"
#include "parlance/store/memory/memory_database.h"
#include "parlance/store/memory_pg/person.h"
#include "parlance/store/memory_pg/server.h"

namespace parlance::store {

class SharedMemories final : public MemoryDatabase {
 public:
  SharedMemories(pg::ConnectSettings settings, std::shared_ptr<pg::Interrupt> interrupt, memory::VectorIndexSettings index = {})
      : interrupt_(std::move(interrupt)), server_(std::move(settings), *interrupt_), people_(server_, index) {}

  Result<std::vector<memory::Put>> put(const std::string& user, const std::vector<memory::NewEntry>& entries,
                                       const Embedded& embedded) override;
  Result<memory::Entry> get(const std::string& user, const std::string& id) override;
  Result<std::vector<memory::Hit>> search(const std::string& user, const memory::Query& query, const Embedded& embedded) override;
  Result<memory::Page> list(const std::string& user, const memory::ListQuery& query) override;
  Result<std::uint64_t> forget(const std::string& user, const memory::Forget& what) override;
  Result<memory::Stats> stats(const std::string& user, const memory::EmbedderInfo& embedder) override;

  void allow_graph() override { graph_allowed_ = true; }
  bool take_new_graph() override { return people_.take_new_graph(); }
  Result<void> claim_embedder(const memory::EmbedderInfo& embedder) override;
  Result<bool> has_claim(const memory::EmbedderInfo& embedder) override;
  Result<EmbeddedCount> count_embedded(const memory::EmbedderInfo& embedder) override;
  Result<UnembeddedPage> unembedded(const memory::EmbedderInfo& embedder, std::int64_t from, std::size_t limit) override;
  Result<std::int64_t> last_number() override;
  Result<std::uint64_t> add_vectors(const std::vector<Unembedded>& rows, const Embedded& embedded) override;
  Result<bool> drop_other_vectors(const memory::EmbedderInfo& embedder) override;

 private:
  Result<std::int64_t> keep_person(const std::string& user);
  Result<std::vector<memory::Put>> store(const std::string& user, const std::vector<memory::NewEntry>& entries,
                                         const std::vector<memory::Entry>& stored, const Embedded& embedded);
  Result<std::vector<memory::Hit>> search_now(const std::string& user, const memory::Query& query,
                                              const memory::EmbedderInfo& embedder, const memory::Vector* vector);
  Result<std::int64_t> page_begin(const std::string& user, const memory::ListQuery& query);

  std::shared_ptr<pg::Interrupt> interrupt_;
  MemoryServer server_;
  People people_;
  bool graph_allowed_ = false;
};

}  // namespace parlance::store
