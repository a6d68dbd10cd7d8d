// SPDX-License-Identifier: Apache-2.0
// Computes missing vectors in the background, beside searches and puts.
#include <algorithm>
#include <random>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/store/memory/limits.h"
#include "parlance/store/memory/memory_on_worker.h"

namespace parlance::store {
namespace {

// Wakes the signal's waiters at a time.
class Alarm final : public Timer {
 public:
  explicit Alarm(Signal& signal) : signal_(signal) {}
  void on_timer() override { signal_.notify_all(); }

 private:
  Signal& signal_;
};

constexpr auto log_every = std::chrono::seconds(10);

std::string share_text(const EmbeddingProgress& progress) {
  return "embedded " + std::to_string(progress.embedded) + " of " + std::to_string(progress.entries);
}

}  // namespace

void MemoryOnWorker::embed_in_background(std::function<void(const EmbeddingProgress&)> on_progress) {
  on_progress_ = std::move(on_progress);
  if (background_.running() == 0) background_.start(keep_embedded());
}

Task<void> MemoryOnWorker::keep_embedded() {
  Alarm alarm(missing_);
  worker_.submit([db = database_.get()] { db->allow_graph(); });
  for (;;) {
    const Result<void> done = co_await embed_missing();
    if (!done) log(LogLevel::info, "memory: embedding in the background goes on later", {{"why", done.error().message}});
    if (!done) progress_.running = false;
    alarm.start(loop_, loop_.now() + (done ? Duration(limits::memory_embed_recheck) : Duration(limits::memory_embedder_pause)));
    do {
      co_await missing_.wait();
    } while (loop_.now() < embedder_down_until_ && alarm.running());
    alarm.stop();
  }
}

Task<Result<void>> MemoryOnWorker::embed_missing() {
  PARLANCE_CO_TRY(embedder, co_await embedder_.info());
  if (claimed_ != embedder.id) {
    PARLANCE_CO_TRY_DO(co_await worker_.run([db = database_.get(), embedder] { return db->claim_embedder(embedder); }));
    claimed_ = embedder.id;
  }
  PARLANCE_CO_TRY(mine, co_await worker_.run([db = database_.get(), embedder] { return db->has_claim(embedder); }));
  if (!mine) co_return Result<void>{};  // a program with another embedder claimed later
  PARLANCE_CO_TRY(count, co_await worker_.run([db = database_.get(), embedder] { return db->count_embedded(embedder); }));
  if (count.embedded < count.entries) {
    report({.running = true, .embedded = count.embedded, .entries = count.entries});
    // Programs start at random positions, so they seldom do the same work.
    PARLANCE_CO_TRY(last, co_await worker_.run([db = database_.get()] { return db->last_number(); }));
    std::random_device random;
    const std::int64_t from = std::uniform_int_distribution<std::int64_t>(1, std::max<std::int64_t>(last, 1))(random);
    PARLANCE_CO_TRY_DO(co_await embed_range(from, last, embedder));
    PARLANCE_CO_TRY_DO(co_await embed_range(1, from - 1, embedder));
  }
  PARLANCE_CO_TRY_DO(co_await drop_others(embedder));
  PARLANCE_CO_TRY(now, co_await worker_.run([db = database_.get(), embedder] { return db->count_embedded(embedder); }));
  report({.running = false, .embedded = now.embedded, .entries = now.entries});
  co_return Result<void>{};
}

Task<Result<void>> MemoryOnWorker::embed_range(std::int64_t from, std::int64_t last, memory::EmbedderInfo embedder) {
  while (from != 0 && from <= last) {
    PARLANCE_CO_TRY(page, co_await worker_.run([db = database_.get(), embedder, from] {
      return db->unembedded(embedder, from, limits::memory_embed_batch);
    }));
    std::erase_if(page.rows, [&](const Unembedded& row) { return row.number > last; });
    if (!page.rows.empty()) {
      std::vector<std::string> texts;
      for (const Unembedded& row : page.rows) texts.push_back(row.text);
      PARLANCE_CO_TRY(made, co_await embed_rows(std::move(texts), embedder));
      PARLANCE_CO_TRY(added, co_await worker_.run([db = database_.get(), rows = std::move(page.rows), made = std::move(made)] {
        return db->add_vectors(rows, made);
      }));
      report({.running = true, .embedded = progress_.embedded + added, .entries = progress_.entries});
    }
    from = page.next;
  }
  co_return Result<void>{};
}

Task<Result<Embedded>> MemoryOnWorker::embed_rows(std::vector<std::string> texts, memory::EmbedderInfo embedder) {
  Embedded made{.embedder = embedder};
  Attempt all = co_await embed(texts);
  if (all.failed.empty()) made = std::move(all.made);
  else if (!all.rejected) co_return fail(Errc::overloaded, all.failed);
  else {
    // Embeds texts one by one: a rejected text must not block the others. A rejected text gets a zero vector.
    for (std::string& text : texts) {
      Attempt attempt = co_await embed({std::move(text)});
      if (!attempt.failed.empty() && !attempt.rejected) co_return fail(Errc::overloaded, attempt.failed);
      if (attempt.rejected) log(LogLevel::warn, "memory: the embedder does not take a text", {{"why", attempt.failed}});
      else made.embedder = attempt.made.embedder;
      made.vectors.push_back(attempt.rejected ? memory::Vector(embedder.dimension, 0.0F)
                                              : std::move(attempt.made.vectors.front()));
    }
  }
  if (made.embedder.id != embedder.id) co_return fail(Errc::overloaded, "the embedder was exchanged for " + made.embedder.id);
  co_return made;
}

Task<Result<void>> MemoryOnWorker::drop_others(memory::EmbedderInfo embedder) {
  for (;;) {
    PARLANCE_CO_TRY(more, co_await worker_.run([db = database_.get(), embedder] { return db->drop_other_vectors(embedder); }));
    if (!more) co_return Result<void>{};
  }
}

void MemoryOnWorker::report(const EmbeddingProgress& progress) {
  const bool changed = progress.running != progress_.running;
  progress_ = progress;
  progress_.embedded = std::min(progress.embedded, progress.entries);
  if (changed || (progress.running && loop_.now() - logged_ > log_every)) {
    log(LogLevel::info, "memory: " + share_text(progress_) + (progress.running ? "" : ", done"));
    logged_ = loop_.now();
  }
  if (on_progress_) on_progress_(progress_);
}

}  // namespace parlance::store
