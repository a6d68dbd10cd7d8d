// SPDX-License-Identifier: Apache-2.0
// The examination of one database: every fact of sqlite/health.h, each asked for in a request of its own, so that what takes too long
// is missing and the rest is told. As JSON for programs (the table below) and as lines for people. Loop thread only.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parlance/protocol/sqlite_bridge/messages.h"
#include "parlance/sqlite/engine.h"

namespace parlance::server {

using sqlite_bridge::Nullable;
using wire::field;
using wire::fields;

struct HealthCheck {
  std::string kind{};
  Nullable<bool> ok{};
  std::vector<std::string> problems{};
  static constexpr auto wire = fields(field<&HealthCheck::kind>("kind", "quick_check or integrity_check."),
                                      field<&HealthCheck::ok>("ok", "Null: it was not finished in time."),
                                      field<&HealthCheck::problems>("problems", "What SQLite found, the first ones."));
};
struct HealthBrokenKey {
  std::string table{};
  std::string ref_table{};
  std::int64_t rows = 0;
  static constexpr auto wire = fields(field<&HealthBrokenKey::table>("table", "The table whose rows refer to nothing."),
                                      field<&HealthBrokenKey::ref_table>("ref_table", "The table they should refer to."),
                                      field<&HealthBrokenKey::rows>("rows", "How many."));
};
struct HealthKeys {
  Nullable<std::int64_t> violations{};
  std::vector<HealthBrokenKey> tables{};
  std::optional<std::string> error{};
  static constexpr auto wire = fields(
      field<&HealthKeys::violations>("violations", "Rows that refer to nothing; null: not finished, or it could not be checked."),
      field<&HealthKeys::tables>("tables", "Where they are."),
      field<&HealthKeys::error>("error", "Why it could not be checked."));
};
struct HealthTable {
  std::string name{};
  std::string kind{};
  Nullable<std::int64_t> rows{};
  std::uint64_t columns = 0;
  std::uint64_t indexes = 0;
  static constexpr auto wire = fields(
      field<&HealthTable::name>("name", "Name."), field<&HealthTable::kind>("kind", "table or virtual."),
      field<&HealthTable::rows>("rows", "How many rows; null: not counted, there was no time or it failed."),
      field<&HealthTable::columns>("columns", "How many columns."), field<&HealthTable::indexes>("indexes", "How many indexes."));
};
enum class HealthLevel : std::uint8_t { error, warning, advice };
constexpr auto wire_names(HealthLevel) { return wire::names("error", "warning", "advice"); }
struct HealthFinding {
  HealthLevel level = HealthLevel::advice;
  std::optional<std::string> table{};
  std::string text{};
  std::optional<std::string> cure{};
  static constexpr auto wire = fields(
      field<&HealthFinding::level>("level", "error: data is damaged; warning: something is wrong; advice: could be better."),
      field<&HealthFinding::table>("table", "The table, if it is about one."),
      field<&HealthFinding::text>("text", "What was found."), field<&HealthFinding::cure>("cure", "What would help."));
};
struct Health {
  std::string db_path{};
  std::uint64_t file_bytes = 0;
  std::uint64_t wal_bytes = 0;
  std::int64_t page_size = 0;
  std::int64_t page_count = 0;
  std::int64_t freelist_count = 0;
  std::string journal_mode{};
  std::string encoding{};
  std::int64_t auto_vacuum = 0;
  std::int64_t user_version = 0;
  std::int64_t application_id = 0;
  HealthCheck check{};
  HealthKeys foreign_key_check{};
  std::vector<HealthTable> tables{};
  std::uint64_t views = 0;
  std::vector<HealthFinding> findings{};
  static constexpr auto wire =
      fields(field<&Health::db_path>("db_path", "The file."), field<&Health::file_bytes>("file_bytes", "Its size."),
             field<&Health::wal_bytes>("wal_bytes", "Size of the write-ahead log beside it."),
             field<&Health::page_size>("page_size", "Bytes."), field<&Health::page_count>("page_count", "Pages."),
             field<&Health::freelist_count>("freelist_count", "Pages that hold nothing."),
             field<&Health::journal_mode>("journal_mode", "delete, wal, …"),
             field<&Health::encoding>("encoding", "UTF-8, UTF-16le or UTF-16be."),
             field<&Health::auto_vacuum>("auto_vacuum", "0: none, 1: full, 2: incremental."),
             field<&Health::user_version>("user_version", "The application's number."),
             field<&Health::application_id>("application_id", "Which application's file it is."),
             field<&Health::check>("check", "Whether the file is intact."),
             field<&Health::foreign_key_check>("foreign_key_check", "Whether foreign keys refer to something."),
             field<&Health::tables>("tables", "By name."), field<&Health::views>("views", "How many."),
             field<&Health::findings>("findings", "What deserves attention, the worst first."));
};

struct HealthRequest {
  std::string database{};
  bool full = false;                 // integrity_check however large the file is
  std::chrono::milliseconds time{};  // for all of it; zero: as long as it takes
  std::function<void()> step{};      // called after each step
};
// Fails when the database cannot be opened or its schema cannot be read, and when it is cancelled.
Task<sqlite::Outcome<Health>> examine(sqlite::Engine& engine, HealthRequest request);

std::string readable(const Health& health);

}  // namespace parlance::server
