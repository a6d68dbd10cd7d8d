// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory/memory_tables.h"

#include <bit>
#include <cstring>
#include <utility>

#include "parlance/memory/vector/quantized_vector.h"
#include "parlance/sqlite/double_quoted.h"
#include "parlance/store/memory/memory_row.h"
#include "parlance/store/memory/memory_schema.h"

namespace parlance::store {
namespace {

static_assert(std::endian::native == std::endian::little, "float rows are stored in the byte order of memory");

BytesView bytes_of(std::span<const float> floats) { return {reinterpret_cast<const char*>(floats.data()), floats.size_bytes()}; }
BytesView bytes_of(std::span<const std::int8_t> bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// For a full read of a table. Without the limit, pages of the table would displace other pages in the database's cache and fill
// as much memory again.
class FewPages {
 public:
  explicit FewPages(sqlite::Database& db) : db_(db) {
    if (auto before = db_.query("PRAGMA cache_size"); before && before->step()) before_ = before->integer(0);
    if (before_ != 0) (void)db_.execute("PRAGMA cache_size=-256");
  }
  FewPages(const FewPages&) = delete;
  FewPages& operator=(const FewPages&) = delete;
  ~FewPages() {
    if (before_ != 0) (void)db_.execute("PRAGMA cache_size=" + std::to_string(before_));
  }

 private:
  sqlite::Database& db_;
  std::int64_t before_ = 0;
};

// Matches all groups, each by any of the phrases.
std::string fts_expression(const std::vector<std::vector<std::string>>& groups) {
  std::string all;
  for (const std::vector<std::string>& phrases : groups) {
    std::string any;
    for (const std::string& phrase : phrases) any += (any.empty() ? "(" : " OR ") + sqlite::double_quoted(phrase);
    all += (all.empty() ? "" : " AND ") + any + ')';
  }
  return all;
}

Result<MemorySource::Numbers> numbers_of(sqlite::Query& rows) {
  MemorySource::Numbers numbers;
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) return numbers;
    numbers.push_back(rows.integer(0));
  }
}

SmallVector small_vector(const sqlite::Query& row, std::int64_t number) {
  return {.number = number,
          .category = static_cast<memory::Category>(row.integer(0)),
          .scale = static_cast<float>(row.number(1)),
          .bytes = row.blob(2)};
}

}  // namespace

Result<void> MemoryTables::prepare(sqlite::Database& db) {
  return db.execute("CREATE VIRTUAL TABLE temp.memory_terms USING fts5vocab(main, memory_text, instance)");
}

Result<std::vector<MemorySource::Numbers>> MemoryTables::look_up(std::span<const WordsWanted> wanted, Category category,
                                                                 std::size_t limit) {
  std::vector<Numbers> all;
  for (const WordsWanted& words_wanted : wanted) {
    PARLANCE_TRY(numbers, words_wanted.begins.empty() ? look_up_groups(words_wanted, category, limit)
                                                      : look_up_beginning(words_wanted, category, limit));
    all.push_back(std::move(numbers));
  }
  return all;
}

Result<MemorySource::Numbers> MemoryTables::look_up_groups(const WordsWanted& wanted, Category category, std::size_t limit) {
  // Newest first. With a category, the filter applies before the limit.
  PARLANCE_TRY(rows, category
                         ? db_.query("SELECT memory_text.rowid FROM memory_text JOIN memories m ON m.number=memory_text.rowid "
                                     "WHERE memory_text MATCH ?1 AND m.category=?3 ORDER BY memory_text.rowid DESC LIMIT ?2")
                         : db_.query("SELECT rowid FROM memory_text WHERE memory_text MATCH ?1 ORDER BY rowid DESC LIMIT ?2"));
  const std::string expression = fts_expression(wanted.groups);
  if (category) rows.bind(expression, limit, to_string(*category));
  else rows.bind(expression, limit);
  return numbers_of(rows);
}

Result<MemorySource::Numbers> MemoryTables::look_up_beginning(const WordsWanted& wanted, Category category, std::size_t limit) {
  // The index sorts its terms: all trigrams with the same beginning are adjacent.
  PARLANCE_TRY(rows, category ? db_.query("SELECT DISTINCT t.doc FROM temp.memory_terms t JOIN memories m ON m.number=t.doc "
                                          "WHERE t.term>=?1 AND t.term<?2 AND m.category=?4 LIMIT ?3")
                              : db_.query("SELECT DISTINCT doc FROM temp.memory_terms WHERE term>=?1 AND term<?2 LIMIT ?3"));
  const std::string behind = wanted.begins + "\xf4\x8f\xbf\xbf";
  if (category) rows.bind(wanted.begins, behind, limit, to_string(*category));
  else rows.bind(wanted.begins, behind, limit);
  return numbers_of(rows);
}

Result<std::vector<NumberedEntry>> MemoryTables::rows(std::span<const std::int64_t> numbers) {
  std::vector<NumberedEntry> all;
  for (const std::int64_t number : numbers) {
    PARLANCE_TRY(row, db_.query("SELECT " MEMORY_COLUMNS " FROM memories m WHERE m.number=?1"));
    PARLANCE_TRY(there, row.bind(number).step());
    if (there) all.push_back({.number = number, .entry = memory_entry(row)});
  }
  return all;
}

Result<ChangesKept> MemoryTables::changes() {
  PARLANCE_TRY(row, db_.query("SELECT (SELECT min(change) FROM memory_changes), (SELECT max(change) FROM memory_changes)"));
  PARLANCE_TRY_DO(row.step());
  return ChangesKept{.first = row.integer(0), .last = row.integer(1)};
}

Result<MemorySource::Numbers> MemoryTables::changed_after(std::int64_t change) {
  PARLANCE_TRY(rows, db_.query("SELECT DISTINCT number FROM memory_changes WHERE change>?1"));
  rows.bind(change);
  return numbers_of(rows);
}

Result<std::int64_t> MemoryTables::embedder_number(const memory::EmbedderInfo& embedder) {
  PARLANCE_TRY(row, db_.query("SELECT number FROM embedders WHERE id=?1 AND dimension=?2"));
  row.bind(embedder.id, embedder.dimension);
  PARLANCE_TRY(known, row.step());
  return known ? row.integer(0) : 0;
}

Result<std::uint64_t> MemoryTables::count_vectors(const memory::EmbedderInfo& embedder) {
  PARLANCE_TRY(row, db_.query("SELECT rows FROM embedders WHERE id=?1 AND dimension=?2"));
  row.bind(embedder.id, embedder.dimension);
  PARLANCE_TRY(known, row.step());
  return known ? static_cast<std::uint64_t>(row.integer(0)) : 0;
}

Result<void> MemoryTables::each_vector(std::int64_t embedder, const std::function<void(const SmallVector&)>& take) {
  const FewPages few(db_);
  const std::int64_t base = embedder << memory_number_bits;
  PARLANCE_TRY(rows, db_.query("SELECT category, scale, bytes, slot FROM vectors WHERE slot>?1 AND slot<=?1+?2"));
  rows.bind(base, memory_number_mask);
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) return {};
    take(small_vector(rows, rows.integer(3) - base));
  }
}

Result<void> MemoryTables::vectors(std::int64_t embedder, std::span<const std::int64_t> numbers,
                                   const std::function<void(const SmallVector&)>& take) {
  for (const std::int64_t number : numbers) {
    PARLANCE_TRY(row, db_.query("SELECT category, scale, bytes FROM vectors WHERE slot=?1"));
    row.bind((embedder << memory_number_bits) + number);
    PARLANCE_TRY(there, row.step());
    if (there) take(small_vector(row, number));
  }
  return {};
}

Result<std::vector<ExactVector>> MemoryTables::exact_vectors(std::int64_t embedder, std::size_t dimension,
                                                             std::span<const std::int64_t> numbers) {
  std::vector<ExactVector> all;
  for (const std::int64_t number : numbers) {
    PARLANCE_TRY(row, db_.query("SELECT floats FROM exact_vectors WHERE slot=?1"));
    PARLANCE_TRY(there, row.bind((embedder << memory_number_bits) + number).step());
    if (!there) continue;
    const BytesView bytes = row.blob(0);
    if (bytes.size() != dimension * sizeof(float)) continue;
    // The blob's address is not aligned for floats.
    memory::Vector exact(dimension);
    std::memcpy(exact.data(), bytes.data(), bytes.size());
    all.push_back({.number = number, .vector = std::move(exact)});
  }
  return all;
}

Result<bool> MemoryTables::add_vector(const memory::EmbedderInfo& embedder, std::int64_t number, memory::Category category,
                                      const memory::Vector& vector) {
  PARLANCE_TRY_DO(check_dimension(embedder, vector));
  if (number > memory_number_mask) return fail(Errc::failed, "the memory is full");
  // Looked up in each transaction: another caller may have dropped the embedder.
  PARLANCE_TRY(known, embedder_number(embedder));
  if (known == 0) {
    PARLANCE_TRY(insert, db_.query("INSERT INTO embedders(id, dimension) VALUES(?1,?2)"));
    PARLANCE_TRY_DO(insert.run(embedder.id, embedder.dimension));
    PARLANCE_TRY(made, embedder_number(embedder));
    known = made;
  }
  const std::int64_t slot = (known << memory_number_bits) + number;
  const memory::QuantizedVector small = memory::quantize(vector);
  PARLANCE_TRY(insert, db_.query("INSERT OR IGNORE INTO vectors(slot, category, scale, bytes) VALUES(?1,?2,?3,?4)"));
  PARLANCE_TRY_DO(
      insert.run(slot, static_cast<int>(category), static_cast<double>(small.scale), sqlite::BlobView{bytes_of(small.bytes)}));
  if (db_.changes() == 0) return false;
  PARLANCE_TRY(exact, db_.query("INSERT OR REPLACE INTO exact_vectors(slot, floats) VALUES(?1,?2)"));
  PARLANCE_TRY_DO(exact.run(slot, sqlite::BlobView{bytes_of(vector)}));
  PARLANCE_TRY(count, db_.query("UPDATE embedders SET rows = rows + 1 WHERE number = ?1"));
  PARLANCE_TRY_DO(count.run(known));
  PARLANCE_TRY(change, db_.query("INSERT INTO memory_changes(number) VALUES(?1)"));
  PARLANCE_TRY_DO(change.run(number));
  return true;
}

}  // namespace parlance::store
