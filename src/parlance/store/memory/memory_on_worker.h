// SPDX-License-Identifier: Apache-2.0
// A memory with its database on a worker thread: the common base of the stores on SQLite and PostgreSQL. Loop thread.
//
// The class embeds texts before the put and queries before the search. During a failure of the embedder memories are stored
// without vectors and found by words; `embed_in_background` adds the vectors later.
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

// Progress of the background work.
struct EmbeddingProgress {
  bool running = false;  // work remains and runs
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

  // Adds missing vectors of this embedder from now on, in batches with pauses for other work. Once all memories have one, removes
  // vectors of other embedders. Among programs with different embedders the latest counts; programs with the same embedder share
  // the work. Calls `on_progress` after each batch and at the end.
  void embed_in_background(std::function<void(const EmbeddingProgress&)> on_progress = {});
  const EmbeddingProgress& progress() const { return progress_; }

 protected:
  // The embedder must outlive this object.
  MemoryOnWorker(Loop& loop, std::unique_ptr<MemoryDatabase> database, memory::Embedder& embedder);

 private:
  // The embedder's answer.
  struct Attempt {
    Embedded made{};        // vectors of all texts, or empty
    std::string failed{};   // reason for the lack of vectors
    bool rejected = false;  // the embedder works, but rejects a text
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
  std::unique_ptr<MemoryDatabase> database_;  // used only by the worker
  Worker worker_;
  TimePoint embedder_down_until_{};
  std::string embedder_trouble_;  // its last error; "": none
  std::function<void(const EmbeddingProgress&)> on_progress_;
  EmbeddingProgress progress_;
  std::string claimed_;  // id of the last claimed embedder
  TimePoint logged_{};   // time of the last progress message
  Signal missing_;       // a memory without a vector was stored
  Scope background_;     // destroyed first
};

}  // namespace parlance::store
