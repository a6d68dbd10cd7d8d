// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory/memory_file.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "parlance/base/limits.h"
#include "parlance/base/text.h"
#include "parlance/memory/limits.h"
#include "parlance/store/memory/limits.h"
#include "parlance/store/memory/memory_key.h"
#include "parlance/store/memory/memory_requests.h"
#include "parlance/store/memory/memory_row.h"
#include "parlance/store/memory/memory_schema.h"
#include "parlance/store/state_parts.h"

namespace parlance::store {

namespace {

// Cache of database pages: the word index of 50,000 memories. With SQLite's default of 2 MiB most searches read pages from disk.
constexpr int page_cache_kib = 16 << 10;

}  // namespace

MemoryFile::MemoryFile(std::string state_folder, memory::VectorIndexSettings index)
    : folder_(std::move(state_folder)), index_(index) {}

// A failed open has its own error, whatever the system's code: a missing folder must not look like a missing memory.
Result<void> MemoryFile::open() {
  if (db_) return {};
  Result<void> opened = open_now();
  if (!opened) return fail(Errc::disconnected, opened.error().message);
  return opened;
}

Result<void> MemoryFile::open_now() {
  PARLANCE_TRY_DO(check_part(folder_, "memory.db"));
  PARLANCE_TRY(db, sqlite::Database::open(folder_ + "/memory.db", memory_schema()));
  PARLANCE_TRY_DO(MemoryTables::prepare(*db));
  PARLANCE_TRY_DO(db->execute("PRAGMA cache_size=-" + std::to_string(page_cache_kib)));
  db_ = std::move(db);
  tables_.emplace(*db_);
  vectors_.emplace(*tables_, index_);
  keywords_.emplace(*tables_);
  rows_.emplace(*tables_);
  note_part(folder_, "memory.db");
  return {};
}

Result<void> MemoryFile::write(const std::function<Result<void>()>& work) {
  wrote_ = true;
  return db_->transaction(work);
}

const memory::Vector* MemoryFile::vector_at(const Embedded& embedded, std::size_t index) {
  if (index >= embedded.vectors.size()) return nullptr;
  vectors_->use(embedded.embedder);
  if (graph_allowed_) vectors_->allow_graph();
  return &embedded.vectors[index];
}

Result<std::vector<memory::Put>> MemoryFile::put(const std::vector<memory::NewEntry>& entries, const Embedded& embedded) {
  PARLANCE_TRY_DO(open());
  std::vector<memory::Put> puts;
  PARLANCE_TRY_DO(write([&]() -> Result<void> {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      PARLANCE_TRY(put, put_entry(entries[i], vector_at(embedded, i)));
      puts.push_back(std::move(put));
    }
    return trim_changes();
  }));
  if (entries.size() > limits::memory_similar_puts) return puts;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (puts[i].duplicate) continue;
    // All entries are stored already: a failure here does not fail the put.
    if (!add_similar(entries[i].text, vector_at(embedded, i), puts[i])) puts[i].similar.clear();
  }
  return puts;
}

Result<memory::Put> MemoryFile::put_entry(const memory::NewEntry& entry, const memory::Vector* vector) {
  PARLANCE_TRY(stored, stored_entry(entry));
  const std::string key = memory_key(stored.text);
  PARLANCE_TRY(same, db_->query("SELECT id FROM memories WHERE key=?1 UNION ALL SELECT id FROM memories WHERE id=?2"));
  same.bind(key, entry.id);
  PARLANCE_TRY(known, same.step());
  if (known) return memory::Put{.id = std::string(same.text(0)), .duplicate = true};
  PARLANCE_TRY(insert,
               db_->query("INSERT INTO memories(id, key, text, category, importance, source, source_conversation, source_event, "
                          "created_at, updated_at) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)"));
  PARLANCE_TRY_DO(insert.run(stored.id, key, stored.text, to_string(entry.category), stored.importance, entry.source.kind,
                             entry.source.conversation, entry.source.event, stored.created_at, stored.updated_at));
  const std::int64_t number = db_->last_row();
  PARLANCE_TRY(words, db_->query("INSERT INTO memory_text(rowid, text) VALUES(?1, ' ' || ?2 || '  ')"));
  PARLANCE_TRY_DO(words.run(number, stored.text));
  PARLANCE_TRY(count, db_->query("INSERT INTO memory_counts VALUES(?1, 1) ON CONFLICT(category) DO UPDATE SET rows = rows + 1"));
  PARLANCE_TRY_DO(count.run(to_string(entry.category)));
  if (vector != nullptr) PARLANCE_TRY_DO(tables_->add_vector(vectors_->embedder(), number, entry.category, *vector));
  return memory::Put{.id = std::move(stored.id)};
}

Result<void> MemoryFile::trim_changes() {
  PARLANCE_TRY(old, db_->query("DELETE FROM memory_changes WHERE change <= (SELECT max(change) FROM memory_changes) - ?1"));
  return old.run(limits::memory_changes_kept);
}

Result<void> MemoryFile::add_similar(const std::string& text, const memory::Vector* vector, memory::Put& put) {
  if (vector == nullptr) return {};
  PARLANCE_TRY(query, similar_query(text));
  PARLANCE_TRY(hits, search_now(query, vector));
  put.similar = similar_ids(hits, put.id);
  return {};
}

Result<std::vector<memory::Hit>> MemoryFile::search(const memory::Query& query, const Embedded& embedded, SearchMode mode) {
  PARLANCE_TRY(wanted, bounded_query(query));
  PARLANCE_TRY_DO(open());
  return search_now(wanted, vector_at(embedded, 0), mode);
}

Result<std::vector<memory::Hit>> MemoryFile::search_now(const memory::Query& query, const memory::Vector* vector,
                                                        SearchMode mode) {
  std::vector<memory::Hit> hits;
  PARLANCE_TRY_DO(db_->snapshot([&]() -> Result<void> {
    PARLANCE_TRY_DO(notice_changes());
    if (vector != nullptr) PARLANCE_TRY_DO(vectors_->sync());
    PARLANCE_TRY(found, MemorySearch(*keywords_, *rows_, *vectors_, query, vector).hits(mode));
    hits = std::move(found);
    return {};
  }));
  return hits;
}

// Cached rows are valid until a write: data_version shows writes of other connections, but not of this connection.
Result<void> MemoryFile::notice_changes() {
  rows_->trim();
  PARLANCE_TRY(version, db_->query("PRAGMA data_version"));
  PARLANCE_TRY_DO(version.step());
  const std::int64_t now = version.integer(0);
  if (now == data_version_ && !wrote_) return {};
  keywords_->forget_found();
  PARLANCE_TRY_DO(rows_->sync());
  data_version_ = now;
  wrote_ = false;
  return {};
}

Result<memory::Entry> MemoryFile::get(const std::string& id) {
  PARLANCE_TRY_DO(open());
  PARLANCE_TRY(rows, db_->query("SELECT " MEMORY_COLUMNS " FROM memories m WHERE id=?1"));
  rows.bind(id);
  PARLANCE_TRY(row, rows.step());
  if (!row) return fail(Errc::not_found, "memory not found: " + id);
  return memory_entry(rows);
}

Result<memory::Page> MemoryFile::list(const memory::ListQuery& query) {
  PARLANCE_TRY_DO(open());
  const std::optional<std::string> category =
      query.category ? std::optional(std::string(to_string(*query.category))) : std::nullopt;
  const std::size_t limit = std::clamp<std::size_t>(query.limit, 1, limits::memory_page_entries);
  PARLANCE_TRY(from, page_begin(query));
  PARLANCE_TRY(rows,
               query.oldest_first
                   ? db_->query("SELECT " MEMORY_COLUMNS " FROM memories m WHERE (?1 IS NULL OR m.category=?1) AND (?2='' OR "
                                "m.source_conversation=?2) AND m.number > ?3 ORDER BY m.number LIMIT ?4")
                   : db_->query("SELECT " MEMORY_COLUMNS " FROM memories m WHERE (?1 IS NULL OR m.category=?1) AND (?2='' OR "
                                "m.source_conversation=?2) AND m.number < ?3 ORDER BY m.number DESC LIMIT ?4"));
  rows.bind(category, query.conversation, from, limit + 1);
  memory::Page page;
  std::int64_t last = 0;
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) return page;
    if (page.entries.size() == limit) {
      page.next = page_end(last);
      return page;
    }
    last = rows.integer(0);
    page.entries.push_back(memory_entry(rows));
  }
}

// A page ends with a number, not an id: a person may delete the entry before the next page.
Result<std::int64_t> MemoryFile::page_begin(const memory::ListQuery& query) {
  if (const auto number = page_begin_of(query)) return *number;
  PARLANCE_TRY(row, db_->query("SELECT number FROM memories WHERE id=?1"));
  row.bind(query.before);
  PARLANCE_TRY(there, row.step());
  if (!there) return fail(Errc::not_found, "memory not found: " + query.before);
  return row.integer(0);
}

Result<std::uint64_t> MemoryFile::forget(const memory::Forget& what) {
  PARLANCE_TRY_DO(check_forget(what));
  PARLANCE_TRY_DO(open());
  std::uint64_t gone = 0;
  PARLANCE_TRY_DO(write([&]() -> Result<void> {
    // Prefers the id, the faster key.
    PARLANCE_TRY(removal, what.id.empty()
                              ? db_->query("DELETE FROM memories WHERE (?2='' OR source=?2) AND (?3='' OR source_conversation=?3)"
                                           " AND ?1=''")
                              : db_->query("DELETE FROM memories WHERE id=?1 AND (?2='' OR source=?2) AND "
                                           "(?3='' OR source_conversation=?3)"));
    PARLANCE_TRY_DO(removal.run(what.id, what.source_kind, what.conversation));
    gone = static_cast<std::uint64_t>(db_->changes());
    return trim_changes();
  }));
  return gone;
}

Result<memory::Stats> MemoryFile::stats(const memory::EmbedderInfo& embedder) {
  PARLANCE_TRY_DO(open());
  memory::Stats stats;
  stats.embedder = embedder.id;
  PARLANCE_TRY_DO(db_->snapshot([&]() -> Result<void> {
    PARLANCE_TRY(rows, db_->query("SELECT category, rows FROM memory_counts WHERE rows>0"));
    for (;;) {
      PARLANCE_TRY(row, rows.step());
      if (!row) break;
      stats.by_category[std::string(rows.text(0))] = static_cast<std::uint64_t>(rows.integer(1));
      stats.entries += static_cast<std::uint64_t>(rows.integer(1));
    }
    if (embedder.id.empty()) return {};
    vectors_->use(embedder);
    PARLANCE_TRY(embedded, vectors_->count());
    stats.embedded = embedded;
    vectors_->describe(stats);
    return {};
  }));
  if (!embedder.id.empty()) PARLANCE_TRY_DO(share_recall(stats));
  for (const char* suffix : {"", "-wal"}) {
    std::error_code missing;
    const auto size = std::filesystem::file_size(db_->path() + suffix, missing);
    if (!missing) stats.bytes += size;
  }
  return stats;
}

// The graph is in a long-running process, and the caller often in another (`parlance memory stats`).
Result<void> MemoryFile::share_recall(memory::Stats& stats) {
  if (stats.recall) {
    const std::string stored = std::to_string(*stats.recall) + ' ' + stats.embedder;
    PARLANCE_TRY(same, db_->query("SELECT 1 FROM memory_settings WHERE name='graph' AND value=?1"));
    PARLANCE_TRY(known, same.bind(stored).step());
    if (known) return {};
    return write([&]() -> Result<void> {
      PARLANCE_TRY(row, db_->query("INSERT OR REPLACE INTO memory_settings(name, value) VALUES('graph', ?1)"));
      return row.run(stored);
    });
  }
  if (!vectors_->wants_graph(stats.embedded)) return {};
  PARLANCE_TRY(row, db_->query("SELECT value FROM memory_settings WHERE name='graph'"));
  PARLANCE_TRY(stored, row.step());
  if (!stored) return {};
  const std::string_view value = row.text(0);
  const std::size_t blank = value.find(' ');
  if (blank == std::string_view::npos || value.substr(blank + 1) != stats.embedder) return {};
  stats.recall = parse_number<double>(value.substr(0, blank));
  if (stats.recall) stats.index = "approximate";
  return {};
}

}  // namespace parlance::store
