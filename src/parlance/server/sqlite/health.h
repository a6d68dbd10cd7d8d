// SPDX-License-Identifier: Apache-2.0
// The examination of a database: every fact of sqlite/health.h, each with a separate request, so that only slow facts are
// missing. As JSON for programs (the table below) and as lines for people. Loop thread only.
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
  static constexpr auto wire =
      fields(field<&HealthCheck::kind>("kind", "Kind of the check: quick_check or integrity_check."),
             field<&HealthCheck::ok>("ok", "True: the file is intact. Null: the check did not finish in time."),
             field<&HealthCheck::problems>("problems", "The first problems that SQLite reported."));
};
struct HealthBrokenKey {
  std::string table{};
  std::string ref_table{};
  std::int64_t rows = 0;
  static constexpr auto wire = fields(field<&HealthBrokenKey::table>("table", "Table with rows that reference missing rows."),
                                      field<&HealthBrokenKey::ref_table>("ref_table", "The referenced table."),
                                      field<&HealthBrokenKey::rows>("rows", "Number of rows with a missing reference."));
};
struct HealthKeys {
  Nullable<std::int64_t> violations{};
  std::vector<HealthBrokenKey> tables{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&HealthKeys::violations>(
                 "violations", "Number of rows with a missing reference. Null: the check did not finish, or failed."),
             field<&HealthKeys::tables>("tables", "Tables with missing references."),
             field<&HealthKeys::error>("error", "Reason of a failed check. Absent: the check ran."));
};
struct HealthTable {
  std::string name{};
  std::string kind{};
  Nullable<std::int64_t> rows{};
  std::uint64_t columns = 0;
  std::uint64_t indexes = 0;
  static constexpr auto wire =
      fields(field<&HealthTable::name>("name", "Name of the table."),
             field<&HealthTable::kind>("kind", "Kind of the table: table or virtual."),
             field<&HealthTable::rows>("rows", "Number of rows. Null: the count failed or did not finish in time."),
             field<&HealthTable::columns>("columns", "Number of columns."),
             field<&HealthTable::indexes>("indexes", "Number of indexes."));
};
enum class HealthLevel : std::uint8_t { error, warning, advice };
constexpr auto wire_names(HealthLevel) { return wire::names("error", "warning", "advice"); }
struct HealthFinding {
  HealthLevel level = HealthLevel::advice;
  std::optional<std::string> table{};
  std::string text{};
  std::optional<std::string> cure{};
  static constexpr auto wire = fields(
      field<&HealthFinding::level>(
          "level", "Severity: error (data is damaged), warning (something is wrong) or advice (an improvement is possible)."),
      field<&HealthFinding::table>("table", "The affected table. Absent: the finding concerns the whole database."),
      field<&HealthFinding::text>("text", "The finding, one sentence."),
      field<&HealthFinding::cure>("cure", "The recommended action."));
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
  static constexpr auto wire = fields(
      field<&Health::db_path>("db_path", "Path of the database file."),
      field<&Health::file_bytes>("file_bytes", "Size of the database file in bytes."),
      field<&Health::wal_bytes>("wal_bytes", "Size of the write-ahead log in bytes. 0: no log exists."),
      field<&Health::page_size>("page_size", "Size of a page in bytes."),
      field<&Health::page_count>("page_count", "Number of pages in the file."),
      field<&Health::freelist_count>("freelist_count", "Number of unused pages."),
      field<&Health::journal_mode>("journal_mode", "Journal mode, such as delete or wal."),
      field<&Health::encoding>("encoding", "Text encoding: UTF-8, UTF-16le or UTF-16be."),
      field<&Health::auto_vacuum>("auto_vacuum", "Auto-vacuum mode: 0 none, 1 full, 2 incremental."),
      field<&Health::user_version>("user_version", "Version number set by the application (PRAGMA user_version)."),
      field<&Health::application_id>("application_id", "Number of the application that owns the file (PRAGMA application_id)."),
      field<&Health::check>("check", "Result of the integrity check."),
      field<&Health::foreign_key_check>("foreign_key_check", "Result of the check of foreign keys."),
      field<&Health::tables>("tables", "Tables, sorted by name."), field<&Health::views>("views", "Number of views."),
      field<&Health::findings>("findings", "Findings, the most severe first. Empty: nothing needs attention."));
};

struct HealthRequest {
  std::string database{};
  bool full = false;                 // integrity_check however large the file is
  std::chrono::milliseconds time{};  // for all facts; zero: no limit
  std::function<void()> step{};      // called after each step
};
// Fails if the database cannot be opened, its schema cannot be read, or the request is cancelled.
Task<sqlite::Outcome<Health>> examine(sqlite::Engine& engine, HealthRequest request);

std::string readable(const Health& health);

}  // namespace parlance::server
