// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory/memory_on_worker.h"

#include <utility>

#include "parlance/async/run_on.h"
#include "parlance/base/log.h"
#include "parlance/store/memory/limits.h"
#include "parlance/store/memory/memory_requests.h"

namespace parlance::store {

MemoryOnWorker::MemoryOnWorker(Loop& loop, std::unique_ptr<MemoryDatabase> database, memory::Embedder& embedder)
    : loop_(loop),
      embedder_(embedder),
      database_(std::move(database)),
      worker_(loop, "memory-store"),
      missing_(loop),
      background_(loop) {}
MemoryOnWorker::~MemoryOnWorker() = default;

// An embedder that failed is not asked again for a while: a search then has its words at once, not after the embedder's patience.
Task<MemoryOnWorker::Attempt> MemoryOnWorker::embed(std::vector<std::string> texts) {
  Attempt attempt;
  if (loop_.now() < embedder_down_until_) {
    attempt.failed = embedder_trouble_;
    co_return attempt;
  }
  const std::size_t wanted = texts.size();
  auto info = co_await embedder_.info();
  auto vectors =
      info ? co_await embedder_.embed(std::move(texts)) : Result<std::vector<memory::Vector>>(std::unexpected(info.error()));
  // A service may have been exchanged between the two questions.
  if (vectors) info = co_await embedder_.info();
  if (!info) attempt.failed = info.error().message;
  else if (!vectors) attempt.failed = vectors.error().message;
  else if (vectors->size() != wanted) attempt.failed = "the embedder gave another number of vectors than it got texts";
  else {
    for (const memory::Vector& vector : *vectors)
      if (vector.size() != info->dimension) attempt.failed = "the embedder gave vectors of different lengths";
  }
  if (attempt.failed.empty()) {
    if (!embedder_trouble_.empty()) log(LogLevel::info, "memory: the embedder answers again");
    embedder_trouble_.clear();
    attempt.made = {.embedder = *std::move(info), .vectors = *std::move(vectors)};
    co_return attempt;
  }
  attempt.rejected = !vectors && (vectors.error().code == Errc::invalid_params || vectors.error().code == Errc::invalid_request);
  if (attempt.rejected) co_return attempt;
  if (embedder_trouble_ != attempt.failed)
    log(LogLevel::warn, "memory: no vectors for now, searches go by words alone: " + attempt.failed);
  embedder_trouble_ = attempt.failed;
  embedder_down_until_ = loop_.now() + limits::memory_embedder_pause;
  co_return attempt;
}

Task<Result<std::vector<memory::Put>>> MemoryOnWorker::put(std::string user, std::vector<memory::NewEntry> entries) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto text = memory_text(entries[i].text);
    if (!text && entries.size() > 1) co_return fail(text.error().in("entry " + std::to_string(i + 1)));
    if (!text) co_return std::unexpected(std::move(text).error());
    entries[i].text = *text;
    texts.push_back(*std::move(text));
  }
  if (texts.empty()) co_return std::vector<memory::Put>{};
  Attempt attempt = co_await embed(std::move(texts));
  if (!attempt.failed.empty()) missing_.notify_all();
  co_return co_await worker_.run([db = database_.get(), user = std::move(user), entries = std::move(entries),
                                  made = std::move(attempt.made)] { return db->put(user, entries, made); });
}

Task<Result<memory::Entry>> MemoryOnWorker::get(std::string user, std::string id) {
  return run_on<&MemoryDatabase::get>(worker_, *database_, std::move(user), std::move(id));
}

Task<Result<std::vector<memory::Hit>>> MemoryOnWorker::search(std::string user, memory::Query query) {
  PARLANCE_CO_TRY(text, memory_query(query.text));
  Attempt attempt = co_await embed({std::move(text)});
  struct Found {
    Result<std::vector<memory::Hit>> hits;
    bool new_graph = false;
  };
  const memory::EmbedderInfo embedder = attempt.made.embedder;
  Found found = co_await worker_.run([db = database_.get(), user, query = std::move(query), made = std::move(attempt.made)] {
    auto hits = db->search(user, query, made);
    return Found{.hits = std::move(hits), .new_graph = db->take_new_graph()};
  });
  // After the answer: measuring is some exact searches.
  if (found.new_graph) worker_.submit([db = database_.get(), user, embedder] { (void)db->stats(user, embedder); });
  co_return std::move(found.hits);
}

Task<Result<memory::Page>> MemoryOnWorker::list(std::string user, memory::ListQuery query) {
  return run_on<&MemoryDatabase::list>(worker_, *database_, std::move(user), std::move(query));
}

Task<Result<std::uint64_t>> MemoryOnWorker::forget(std::string user, memory::Forget what) {
  return run_on<&MemoryDatabase::forget>(worker_, *database_, std::move(user), std::move(what));
}

Task<Result<memory::Stats>> MemoryOnWorker::stats(std::string user) {
  memory::EmbedderInfo embedder;
  std::string trouble = loop_.now() < embedder_down_until_ ? embedder_trouble_ : "";
  if (trouble.empty()) {
    auto info = co_await embedder_.info();
    if (info) embedder = *std::move(info);
    else trouble = info.error().message;
  }
  auto stats = co_await worker_.run(
      [db = database_.get(), user = std::move(user), embedder = std::move(embedder)] { return db->stats(user, embedder); });
  if (stats) stats->embedder_trouble = std::move(trouble);
  co_return stats;
}

}  // namespace parlance::store
