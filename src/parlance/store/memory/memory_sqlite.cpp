#include "parlance/store/memory/memory_sqlite.h"

#include <utility>

#include "parlance/base/log.h"
#include "parlance/store/memory/limits.h"
#include "parlance/store/memory/memory_file.h"

namespace parlance::store {

MemorySqlite::MemorySqlite(Loop& loop, std::string state_folder, memory::Embedder& embedder, memory::VectorIndexSettings index)
    : loop_(loop),
      embedder_(embedder),
      file_(std::make_unique<MemoryFile>(std::move(state_folder), index)),
      worker_(loop, "memory-store"),
      missing_(loop),
      background_(loop) {}
MemorySqlite::~MemorySqlite() = default;

// An embedder that failed is not asked again for a while: a search then has its words at once, not after the embedder's patience.
Task<MemorySqlite::Attempt> MemorySqlite::embed(std::vector<std::string> texts) {
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

Task<Result<std::vector<memory::Put>>> MemorySqlite::put(std::vector<memory::NewEntry> entries) {
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
  co_return co_await worker_.run(
      [file = file_.get(), entries = std::move(entries), made = std::move(attempt.made)] { return file->put(entries, made); });
}

Task<Result<memory::Entry>> MemorySqlite::get(std::string id) {
  co_return co_await worker_.run([file = file_.get(), id = std::move(id)] { return file->get(id); });
}

Task<Result<std::vector<memory::Hit>>> MemorySqlite::search(memory::Query query) {
  PARLANCE_CO_TRY(text, memory_query(query.text));
  Attempt attempt = co_await embed({std::move(text)});
  struct Found {
    Result<std::vector<memory::Hit>> hits;
    bool new_graph = false;
  };
  const memory::EmbedderInfo embedder = attempt.made.embedder;
  Found found = co_await worker_.run([file = file_.get(), query = std::move(query), made = std::move(attempt.made)] {
    auto hits = file->search(query, made);
    return Found{.hits = std::move(hits), .new_graph = file->take_new_graph()};
  });
  // After the answer: measuring is some exact searches.
  if (found.new_graph) worker_.submit([file = file_.get(), embedder] { (void)file->stats(embedder); });
  co_return std::move(found.hits);
}

Task<Result<memory::Page>> MemorySqlite::list(memory::ListQuery query) {
  co_return co_await worker_.run([file = file_.get(), query = std::move(query)] { return file->list(query); });
}

Task<Result<std::uint64_t>> MemorySqlite::forget(memory::Forget what) {
  co_return co_await worker_.run([file = file_.get(), what = std::move(what)] { return file->forget(what); });
}

Task<Result<memory::Stats>> MemorySqlite::stats() {
  memory::EmbedderInfo embedder;
  std::string trouble = loop_.now() < embedder_down_until_ ? embedder_trouble_ : "";
  if (trouble.empty()) {
    auto info = co_await embedder_.info();
    if (info) embedder = *std::move(info);
    else trouble = info.error().message;
  }
  auto stats = co_await worker_.run([file = file_.get(), embedder = std::move(embedder)] { return file->stats(embedder); });
  if (stats) stats->embedder_trouble = std::move(trouble);
  co_return stats;
}

}  // namespace parlance::store
