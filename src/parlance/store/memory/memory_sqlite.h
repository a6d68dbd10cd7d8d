// Memory in one SQLite file, `memory.db` of the state folder. Loop thread; the work is done by a thread of its own, which opens
// the file when it is first needed. Any number of processes may use the file at once: writers wait for each other.
// What a returned `put` promises about crashes is what HubSqlite says.
//
// Texts are embedded before they are stored and queries before they are looked for. While the embedder cannot be reached memories
// are stored without vectors and found by their words; `embed_in_background` makes up for it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/async/worker.h"
#include "parlance/base/clock.h"
#include "parlance/memory/embedder.h"
#include "parlance/memory/store.h"
#include "parlance/memory/vector/vector_index.h"
#include "parlance/store/memory/embedded.h"

namespace parlance::store {

class MemoryFile;  // the same, blocking; memory_file.h

// How far the work in the background is.
struct EmbeddingProgress {
  bool running = false;  // there is something to do and it is being done
  std::uint64_t embedded = 0;
  std::uint64_t entries = 0;
};

class MemorySqlite final : public memory::Store {
 public:
  // The embedder outlives this.
  MemorySqlite(Loop& loop, std::string state_folder, memory::Embedder& embedder, memory::VectorIndexSettings index = {});
  ~MemorySqlite() override;

  Task<Result<std::vector<memory::Put>>> put(std::vector<memory::NewEntry> entries) override;
  Task<Result<memory::Entry>> get(std::string id) override;
  Task<Result<std::vector<memory::Hit>>> search(memory::Query query) override;
  Task<Result<memory::Page>> list(memory::ListQuery query) override;
  Task<Result<std::uint64_t>> forget(memory::Forget what) override;
  Task<Result<memory::Stats>> stats() override;

  // From now on gives vectors to memories that have none of this embedder, in batches with pauses for whoever else has work for the
  // database, and once all have one removes those of other embedders. Of several programs with different embedders the last that
  // began counts; with the same one they share the work. `on_progress` after each batch and at the end.
  void embed_in_background(std::function<void(const EmbeddingProgress&)> on_progress = {});
  const EmbeddingProgress& progress() const { return progress_; }

 private:
  // What came of asking the embedder.
  struct Attempt {
    Embedded made{};        // vectors for all texts, or for none
    std::string failed{};   // why none
    bool rejected = false;  // not the embedder fails, but a text is nothing for it
  };
  Task<Attempt> embed(std::vector<std::string> texts);
  Task<void> keep_embedded();
  Task<Result<void>> embed_missing();
  Task<Result<void>> embed_range(std::int64_t from, std::int64_t last, memory::EmbedderInfo embedder);
  Task<Result<Embedded>> embed_rows(std::vector<std::string> texts, memory::EmbedderInfo embedder);
  Task<Result<void>> drop_others(memory::EmbedderInfo embedder);
  void report(const EmbeddingProgress& progress);

  Loop& loop_;
  memory::Embedder& embedder_;
  std::unique_ptr<MemoryFile> file_;  // used by the worker alone
  Worker worker_;
  TimePoint embedder_down_until_{};
  std::string embedder_trouble_;  // its last error; "": it answered
  std::function<void(const EmbeddingProgress&)> on_progress_;
  EmbeddingProgress progress_;
  std::string claimed_;  // id of the embedder that was claimed last
  TimePoint logged_{};   // when progress was
  Signal missing_;       // something was stored without a vector
  Scope background_;     // goes first
};

}  // namespace parlance::store
