// SPDX-License-Identifier: Apache-2.0
// Records the changes of a write row by row, as a changeset of SQLite's session extension. A write can therefore be previewed,
// applied exactly as shown, and undone. Worker thread only.
//
// Some changes cannot be recorded: changes of the schema, tables without a primary key, rows with a NULL key, tables behind FTS
// and R-Tree tables. A recording reports these and is then never applied.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "parlance/sqlite/connection.h"

struct sqlite3_session;

namespace parlance::sqlite {

struct Recording {
  std::string changeset{};
  std::vector<std::string> missing{};  // Reasons for an incomplete recording, in sentences.
  bool changes_settings = false;       // By a PRAGMA, which nothing can undo. The changes of rows are complete.
  bool complete() const { return missing.empty(); }
};

class Recorder final : public StatementWatch {
 public:
  // `most_bytes`: memory limit. Above it, the recording stops and the write continues.
  Recorder(Connection& connection, std::size_t most_bytes);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void before_statement() override;
  void check() override;
  Recording finish();  // Inside the transaction, if one exists.

 private:
  static int wants(void* self, const char* table);
  static void on_update(void* self, int operation, const char* database, const char* table, long long rowid);

  Connection& connection_;
  std::size_t most_bytes_;
  sqlite3_session* session_ = nullptr;
  bool overflowed_ = false;
  bool schema_changed_ = false;
  bool settings_changed_ = false;
  std::set<std::string> changed_;    // Real tables.
  std::set<std::string> null_keys_;  // Tables with rows without a key.
  std::set<std::string> behind_;     // Tables behind virtual tables.
};

struct RowChange {
  enum class Kind : std::uint8_t { inserted, updated, deleted } kind = Kind::inserted;
  std::vector<std::pair<std::string, Value>> key{};
  std::vector<std::pair<std::string, Value>> before{};  // Of an update: the changed columns.
  std::vector<std::pair<std::string, Value>> after{};
};
struct TableChange {
  std::string name{};
  std::uint64_t inserted = 0;
  std::uint64_t updated = 0;
  std::uint64_t deleted = 0;
  std::vector<RowChange> rows{};  // The first rows.
};
// Content of a changeset, with the values of its first `most_rows` rows.
Outcome<std::vector<TableChange>> describe(Connection& connection, const std::string& changeset, std::size_t most_rows);

Outcome<std::string> inverse_of(const std::string& changeset);

// Applies all or nothing: a row that differs from the changeset's earlier state is a failure. Returns the number of changed
// rows. Without triggers and foreign-key actions, because the changeset contains their effects.
Outcome<std::int64_t> apply(Connection& connection, Run& run, const std::string& changeset);

}  // namespace parlance::sqlite
