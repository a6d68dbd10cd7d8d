// SPDX-License-Identifier: Apache-2.0
// What a write changed, row by row, as a changeset of SQLite's session extension: so that it can be shown before it happens, done
// later exactly as shown, and taken back. Worker thread only.
//
// Not everything can be recorded: changes of the schema, tables without a primary key, rows whose key is NULL, tables behind FTS and
// R-Tree tables. A recording says so; what is incomplete is never applied.
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
  std::vector<std::string> missing{};  // why it is not complete, in sentences
  bool complete() const { return missing.empty(); }
};

class Recorder final : public StatementWatch {
 public:
  // `most_bytes`: of memory; above it recording stops, the write goes on.
  Recorder(Connection& connection, std::size_t most_bytes);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void before_statement() override;
  void check() override;
  Recording finish();  // still inside the transaction, if there is one

 private:
  static int wants(void* self, const char* table);
  static void on_update(void* self, int operation, const char* database, const char* table, long long rowid);

  Connection& connection_;
  std::size_t most_bytes_;
  sqlite3_session* session_ = nullptr;
  bool overflowed_ = false;
  bool schema_changed_ = false;
  std::set<std::string> changed_;    // tables, really
  std::set<std::string> null_keys_;  // … that have rows without a key
  std::set<std::string> behind_;     // … that stand behind virtual tables
};

struct RowChange {
  enum class Kind : std::uint8_t { inserted, updated, deleted } kind = Kind::inserted;
  std::vector<std::pair<std::string, Value>> key{};
  std::vector<std::pair<std::string, Value>> before{};  // of an update: the columns that change
  std::vector<std::pair<std::string, Value>> after{};
};
struct TableChange {
  std::string name{};
  std::uint64_t inserted = 0;
  std::uint64_t updated = 0;
  std::uint64_t deleted = 0;
  std::vector<RowChange> rows{};  // the first ones
};
// What a changeset says, with the values of its first `most_rows` rows.
Outcome<std::vector<TableChange>> describe(Connection& connection, const std::string& changeset, std::size_t most_rows);

Outcome<std::string> inverse_of(const std::string& changeset);

// All of it or nothing; a row that is no longer as the changeset found it is a failure. Rows that were changed. Without triggers and
// foreign-key actions: what they did is in the changeset.
Outcome<std::int64_t> apply(Connection& connection, Run& run, const std::string& changeset);

}  // namespace parlance::sqlite
