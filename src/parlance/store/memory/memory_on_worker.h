// SPDX-License-Identifier: Apache-2.0
// A memory whose database works on a thread of its own: what the stores on SQLite and on PostgreSQL share. Loop thread.
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
#include "parlance/store/memory/embedded.h"
#include "parlance/store/memory/memory_database.h"

namespace parlance::store {

// How far the work in the background is.
struct EmbeddingProgress {
  bool running = false;  // there is something to do and it is being done
  std::uint64_t embedded = 0;
  std::uint64_t entries = 0;
};

class MemoryOnWorker : public memory::Store {
 public:
  ~MemoryOnWorker() override;

  Task<Result<std::vector<memory::Put>>> put(std::string user, std::vector<memory::NewEntry> entries) override;
  Task<Result<memory::Entry>> get(std::string user, std::string id) override;
  Task<Result<std::vector<memory::Hit>>> search(std::string user, memory::Query query) override;
  Task<Result<memory::Page>> list(std::string user, memory::ListQuery query) override;
  Task<Result<std::uint64_t>> forget(std::string user, memory::Forget what) override;
  Task<Result<memory::Stats>> stats(std::string user) override;

  // From now on gives vectors to memories that have none of this embedder, in batches with pauses for whoever else has work for the
  // database, and once all have one removes those of other embedders. Of several programs with different embedders the last that
  // began counts; with the same one they share the work. `on_progress` after each batch and at the end.
  void embed_in_background(std::function<void(const EmbeddingProgress&)> on_progress = {});
  const EmbeddingProgress& progress() const { return progress_; }

 protected:
  // The embedder outlives this.
  MemoryOnWorker(Loop& loop, std::unique_ptr<MemoryDatabase> database, memory::Embedder& embedder);

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
  std::unique_ptr<MemoryDatabase> database_;  // used by the worker alone
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
