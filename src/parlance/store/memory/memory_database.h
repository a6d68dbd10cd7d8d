// SPDX-License-Identifier: Apache-2.0
// A blocking database of memories for MemoryOnWorker's thread. One thread at a time; opens itself at the first call. Vectors are
// parameters: the embedder may be a remote service, and this thread does not wait for a service.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/memory/store.h"
#include "parlance/store/memory/embedded.h"

namespace parlance::store {

// Progress of one embedder's vectors.
struct EmbeddedCount {
  std::uint64_t embedded = 0;
  std::uint64_t entries = 0;
};

// A memory without a vector.
struct Unembedded {
  std::int64_t number = 0;
  std::string id{};
  std::string text{};
  std::string user{};
};
struct UnembeddedPage {
  std::vector<Unembedded> rows{};
  std::int64_t next = 0;  // start of the next page; 0: the end
};

class MemoryDatabase {
 public:
  virtual ~MemoryDatabase() = default;

  // The operations of memory::Store. `embedded` has the vectors of the entries in order, or of the query; empty: by words alone.
  virtual Result<std::vector<memory::Put>> put(const std::string& user, const std::vector<memory::NewEntry>& entries,
                                               const Embedded& embedded) = 0;
  virtual Result<memory::Entry> get(const std::string& user, const std::string& id) = 0;
  virtual Result<std::vector<memory::Hit>> search(const std::string& user, const memory::Query& query,
                                                  const Embedded& embedded) = 0;
  virtual Result<memory::Page> list(const std::string& user, const memory::ListQuery& query) = 0;
  virtual Result<std::uint64_t> forget(const std::string& user, const memory::Forget& what) = 0;
  // `embedder`: counts its vectors; an empty id: none.
  virtual Result<memory::Stats> stats(const std::string& user, const memory::EmbedderInfo& embedder) = 0;

  // ---- missing vectors, of all users; several processes may call these at once -------------------------------------------
  // Allows a graph index over many vectors, for a long-running program.
  virtual void allow_graph() = 0;
  // True once after the build of a graph: `stats` then measures its recall and stores it for all processes.
  virtual bool take_new_graph() = 0;
  // Makes this embedder the wanted one. The latest claim counts.
  virtual Result<void> claim_embedder(const memory::EmbedderInfo& embedder) = 0;
  virtual Result<bool> has_claim(const memory::EmbedderInfo& embedder) = 0;
  virtual Result<EmbeddedCount> count_embedded(const memory::EmbedderInfo& embedder) = 0;
  // From the memory `from` on, in order of numbers.
  virtual Result<UnembeddedPage> unembedded(const memory::EmbedderInfo& embedder, std::int64_t from, std::size_t limit) = 0;
  virtual Result<std::int64_t> last_number() = 0;
  // Adds vectors of unchanged memories and drops the others. Returns the number of new vectors.
  virtual Result<std::uint64_t> add_vectors(const std::vector<Unembedded>& rows, const Embedded& embedded) = 0;
  // Once all memories have a vector of `embedder`: removes some vectors of other embedders. True: more remain.
  virtual Result<bool> drop_other_vectors(const memory::EmbedderInfo& embedder) = 0;
};

}  // namespace parlance::store
