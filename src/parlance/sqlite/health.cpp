// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/health.h"

#include <algorithm>
#include <map>
#include <sys/stat.h>

#include <sqlite3.h>

#include "parlance/base/text.h"
#include "parlance/sqlite/double_quoted.h"

namespace parlance::sqlite {
namespace {

constexpr int most_problems = 100;  // reported for each check: the first problems suffice for a decision

std::uint64_t size_of(const std::string& path) {
  struct stat about{};
  return ::stat(path.c_str(), &about) == 0 ? static_cast<std::uint64_t>(about.st_size) : 0;
}

// Runs one statement to its end like a client's statement, and passes each row to `use`.
template <class F>
Outcome<> each_row(Connection& connection, std::string_view sql, F use) {
  PARLANCE_TRY(prepared, connection.prepare(sql));
  for (;;) {
    PARLANCE_TRY_DO(connection.still_going());
    const int code = sqlite3_step(prepared.statement.handle());
    if (code == SQLITE_DONE) return {};
    if (code != SQLITE_ROW) return std::unexpected(connection.failure(code));
    use(prepared.statement);
  }
}

Outcome<> read_value(Connection& connection, std::string_view sql, std::int64_t& into) {
  return each_row(connection, sql, [&](Statement& row) { into = row.integer(0); });
}
Outcome<> read_value(Connection& connection, std::string_view sql, std::string& into) {
  return each_row(connection, sql, [&](Statement& row) { into = row.text(0); });
}

// INTEGER PRIMARY KEY is the rowid itself and has no index.
bool is_rowid(const Table& table, std::string_view column) {
  const TableColumn* key = nullptr;
  for (const TableColumn& table_column : table.columns) {
    if (table_column.primary_key > 1) return false;
    if (table_column.primary_key == 1) key = &table_column;
  }
  return key != nullptr && !table.without_rowid && equal_ignoring_case(key->name, column) &&
         equal_ignoring_case(key->type, "INTEGER");
}

bool begins_with(const TableIndex& index, const std::vector<std::string>& columns) {
  if (index.partial || index.columns.size() < columns.size()) return false;
  // In any order: all columns are known together with the parent's row.
  return std::ranges::all_of(columns, [&](const std::string& column) {
    return std::any_of(index.columns.begin(), index.columns.begin() + static_cast<std::ptrdiff_t>(columns.size()),
                       [&](const auto& of_index) { return of_index && equal_ignoring_case(*of_index, column); });
  });
}

bool is_beginning_of(const TableIndex& index, const TableIndex& other) {
  if (index.unique || index.partial || other.partial || index.origin != "c") return false;
  if (std::ranges::any_of(index.columns, [](const auto& column) { return !column; })) return false;
  if (index.columns.size() > other.columns.size() ||
      !std::equal(index.columns.begin(), index.columns.end(), other.columns.begin()))
    return false;
  // Of two identical indexes, one remains.
  return index.columns.size() < other.columns.size() || other.origin != "c" || other.unique || other.name < index.name;
}

}  // namespace

Outcome<FileFacts> file_facts(Connection& connection, Run& run) {
  const Connection::Using under(connection, run, Gate::Mode::read);
  FileFacts facts;
  const char* const path = sqlite3_db_filename(connection.handle(), "main");
  if (path != nullptr) {
    facts.file_bytes = size_of(path);
    facts.wal_bytes = size_of(std::string(path) + "-wal");
  }
  PARLANCE_TRY_DO(read_value(connection, "PRAGMA page_size", facts.page_size));
  PARLANCE_TRY_DO(read_value(connection, "PRAGMA page_count", facts.page_count));
  PARLANCE_TRY_DO(read_value(connection, "PRAGMA freelist_count", facts.free_pages));
  PARLANCE_TRY_DO(read_value(connection, "SELECT journal_mode FROM pragma_journal_mode", facts.journal_mode));
  PARLANCE_TRY_DO(read_value(connection, "PRAGMA encoding", facts.encoding));
  PARLANCE_TRY_DO(read_value(connection, "PRAGMA auto_vacuum", facts.auto_vacuum));
  PARLANCE_TRY_DO(read_value(connection, "PRAGMA user_version", facts.user_version));
  PARLANCE_TRY_DO(read_value(connection, "PRAGMA application_id", facts.application_id));
  std::int64_t statistics = 0;
  PARLANCE_TRY_DO(read_value(connection, "SELECT count(*) FROM main.sqlite_schema WHERE name='sqlite_stat1'", statistics));
  facts.has_statistics = statistics != 0;
  return facts;
}

Outcome<std::vector<std::string>> integrity_problems(Connection& connection, Run& run, bool full) {
  const Connection::Using under(connection, run, Gate::Mode::read);
  std::vector<std::string> problems;
  const std::string sql =
      std::string("PRAGMA main.") + (full ? "integrity_check(" : "quick_check(") + std::to_string(most_problems) + ")";
  const auto done = each_row(connection, sql, [&](Statement& row) {
    // The first row may hold several lines.
    const std::string text = row.text(0);
    for (const std::string_view line : split(text, '\n'))
      if (!line.empty() && line != "ok") problems.emplace_back(line);
  });
  if (done) return problems;
  if (done.error().fault != Fault::sql_error || done.error().sqlite_code == SQLITE_BUSY) return std::unexpected(done.error());
  problems.push_back("the check ended early: " + done.error().message);
  return problems;
}

Outcome<std::vector<BrokenKey>> broken_keys(Connection& connection, Run& run) {
  const Connection::Using under(connection, run, Gate::Mode::read);
  std::map<std::pair<std::string, std::string>, std::int64_t> counts;
  PARLANCE_TRY_DO(
      each_row(connection, "PRAGMA main.foreign_key_check", [&](Statement& row) { ++counts[{row.text(0), row.text(2)}]; }));
  std::vector<BrokenKey> broken;
  for (const auto& [tables, rows] : counts) broken.push_back({.table = tables.first, .to_table = tables.second, .rows = rows});
  return broken;
}

Outcome<std::int64_t> count_rows(Connection& connection, Run& run, const std::string& table) {
  const Connection::Using under(connection, run, Gate::Mode::read);
  std::int64_t rows = 0;
  PARLANCE_TRY_DO(read_value(connection, "SELECT count(*) FROM main." + double_quoted(table), rows));
  return rows;
}

std::vector<UnindexedKey> unindexed_keys(const Schema& schema) {
  std::vector<UnindexedKey> found;
  for (const Table& table : schema.tables)
    for (const ForeignKey& key : table.foreign_keys) {
      const bool indexed =
          (key.columns.size() == 1 && is_rowid(table, key.columns.front())) ||
          std::ranges::any_of(table.indexes, [&](const TableIndex& index) { return begins_with(index, key.columns); });
      if (!indexed) found.push_back({.table = table.name, .columns = key.columns, .to_table = key.table});
    }
  return found;
}

std::vector<RedundantIndex> redundant_indexes(const Schema& schema) {
  std::vector<RedundantIndex> found;
  for (const Table& table : schema.tables)
    for (const TableIndex& index : table.indexes)
      for (const TableIndex& other : table.indexes)
        if (&other != &index && is_beginning_of(index, other)) {
          found.push_back({.table = table.name, .index = index.name, .covered_by = other.name});
          break;
        }
  return found;
}

}  // namespace parlance::sqlite
