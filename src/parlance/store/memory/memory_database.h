// SPDX-License-Identifier: Apache-2.0
// A database of memories, blocking: what MemoryOnWorker asks on its thread. One thread at a time; opens itself at the first call. What
// needs vectors gets them from outside: the embedder may be a service, and this thread does not wait for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/memory/store.h"
#include "parlance/store/memory/embedded.h"

namespace parlance::store {

// How far the vectors of one embedder are.
struct EmbeddedCount {
  std::uint64_t embedded = 0;
  std::uint64_t entries = 0;
};

// A memory that has no vector yet.
struct Unembedded {
  std::int64_t number = 0;
  std::string id{};
  std::string text{};
  std::string user{};
};
struct UnembeddedPage {
  std::vector<Unembedded> rows{};
  std::int64_t next = 0;  // where to go on; 0: that was the last
};

class MemoryDatabase {
 public:
  virtual ~MemoryDatabase() = default;

  // Of memory::Store, with the vectors of the entries, in their order, or of the query; none: by words alone.
  virtual Result<std::vector<memory::Put>> put(const std::string& user, const std::vector<memory::NewEntry>& entries,
                                               const Embedded& embedded) = 0;
  virtual Result<memory::Entry> get(const std::string& user, const std::string& id) = 0;
  virtual Result<std::vector<memory::Hit>> search(const std::string& user, const memory::Query& query,
                                                  const Embedded& embedded) = 0;
  virtual Result<memory::Page> list(const std::string& user, const memory::ListQuery& query) = 0;
  virtual Result<std::uint64_t> forget(const std::string& user, const memory::Forget& what) = 0;
  // `embedder`: for whose vectors; an empty id: nobody's.
  virtual Result<memory::Stats> stats(const std::string& user, const memory::EmbedderInfo& embedder) = 0;

  // ---- vectors for those that have none, of all people; several processes may do this at once ----------------------------
  // A program that runs for long may build a graph over very many vectors.
  virtual void allow_graph() = 0;
  // True once after such a graph was built: `stats` then measures its recall and tells it to all who use the database.
  virtual bool take_new_graph() = 0;
  // Says that this embedder's vectors are the ones wanted from now on. The last who says so counts.
  virtual Result<void> claim_embedder(const memory::EmbedderInfo& embedder) = 0;
  virtual Result<bool> has_claim(const memory::EmbedderInfo& embedder) = 0;
  virtual Result<EmbeddedCount> count_embedded(const memory::EmbedderInfo& embedder) = 0;
  // From the memory `from` on, in the order of their numbers.
  virtual Result<UnembeddedPage> unembedded(const memory::EmbedderInfo& embedder, std::int64_t from, std::size_t limit) = 0;
  virtual Result<std::int64_t> last_number() = 0;
  // Of memories that are still there and as they were; the others' vectors are dropped. How many were new.
  virtual Result<std::uint64_t> add_vectors(const std::vector<Unembedded>& rows, const Embedded& embedded) = 0;
  // Once all have a vector of `embedder`: removes those of the others, some at a time. True: there are more.
  virtual Result<bool> drop_other_vectors(const memory::EmbedderInfo& embedder) = 0;
};

}  // namespace parlance::store
