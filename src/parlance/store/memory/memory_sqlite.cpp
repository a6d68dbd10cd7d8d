// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory/memory_sqlite.h"

#include <utility>

#include "parlance/store/memory/memory_file.h"

namespace parlance::store {
namespace {

// A file holds the memory of one person. A user name implies a team, and teams share a PostgreSQL.
Result<void> check_user(const std::string& user) {
  if (user.empty()) return {};
  return fail(Errc::failed,
              "the memory in a file is that of this machine's person; for those of others give --store=postgresql://…");
}

class OnePersons final : public MemoryDatabase {
 public:
  OnePersons(std::string state_folder, memory::VectorIndexSettings index) : file_(std::move(state_folder), index) {}

  Result<std::vector<memory::Put>> put(const std::string& user, const std::vector<memory::NewEntry>& entries,
                                       const Embedded& embedded) override {
    PARLANCE_TRY_DO(check_user(user));
    return file_.put(entries, embedded);
  }
  Result<memory::Entry> get(const std::string& user, const std::string& id) override {
    PARLANCE_TRY_DO(check_user(user));
    return file_.get(id);
  }
  Result<std::vector<memory::Hit>> search(const std::string& user, const memory::Query& query,
                                          const Embedded& embedded) override {
    PARLANCE_TRY_DO(check_user(user));
    return file_.search(query, embedded);
  }
  Result<memory::Page> list(const std::string& user, const memory::ListQuery& query) override {
    PARLANCE_TRY_DO(check_user(user));
    return file_.list(query);
  }
  Result<std::uint64_t> forget(const std::string& user, const memory::Forget& what) override {
    PARLANCE_TRY_DO(check_user(user));
    return file_.forget(what);
  }
  Result<memory::Stats> stats(const std::string& user, const memory::EmbedderInfo& embedder) override {
    PARLANCE_TRY_DO(check_user(user));
    return file_.stats(embedder);
  }

  void allow_graph() override { file_.allow_graph(); }
  bool take_new_graph() override { return file_.take_new_graph(); }
  Result<void> claim_embedder(const memory::EmbedderInfo& embedder) override { return file_.claim_embedder(embedder); }
  Result<bool> has_claim(const memory::EmbedderInfo& embedder) override { return file_.has_claim(embedder); }
  Result<EmbeddedCount> count_embedded(const memory::EmbedderInfo& embedder) override { return file_.count_embedded(embedder); }
  Result<UnembeddedPage> unembedded(const memory::EmbedderInfo& embedder, std::int64_t from, std::size_t limit) override {
    return file_.unembedded(embedder, from, limit);
  }
  Result<std::int64_t> last_number() override { return file_.last_number(); }
  Result<std::uint64_t> add_vectors(const std::vector<Unembedded>& rows, const Embedded& embedded) override {
    return file_.add_vectors(rows, embedded);
  }
  Result<bool> drop_other_vectors(const memory::EmbedderInfo& embedder) override { return file_.drop_other_vectors(embedder); }

 private:
  MemoryFile file_;
};

}  // namespace

MemorySqlite::MemorySqlite(Loop& loop, std::string state_folder, memory::Embedder& embedder, memory::VectorIndexSettings index)
    : MemoryOnWorker(loop, std::make_unique<OnePersons>(std::move(state_folder), index), embedder) {}

}  // namespace parlance::store
