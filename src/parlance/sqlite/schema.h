// SPDX-License-Identifier: Apache-2.0
// The schema of a database: tables, columns, indexes, foreign keys, triggers, views. Worker thread only. Reads under the run's
// deadline, because names and views of an untrusted file may be anything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parlance/sqlite/connection.h"

namespace parlance::sqlite {

struct TableColumn {
  std::string name{};
  std::string type{};  // As declared; may be empty.
  bool not_null = false;
  std::optional<std::string> default_sql{};
  int primary_key = 0;  // Position in the key, counted from 1; 0: not in the key.
  bool hidden = false;  // Of a virtual table.
  enum class Generated { no, virtual_, stored } generated = Generated::no;
};

struct TableIndex {
  std::string name{};
  bool unique = false;
  std::string origin{};  // c: CREATE INDEX, u: UNIQUE, pk: PRIMARY KEY
  bool partial = false;
  std::vector<std::optional<std::string>> columns{};  // Empty: an expression.
};

struct ForeignKey {
  std::vector<std::string> columns{};
  std::string table{};
  std::vector<std::optional<std::string>> to_columns{};  // Empty: the parent's primary key.
  std::string on_update{};
  std::string on_delete{};
};

struct Table {
  std::string name{};
  std::string kind{};  // table, virtual
  bool strict = false;
  bool without_rowid = false;
  std::string sql{};
  std::vector<TableColumn> columns{};
  std::vector<TableIndex> indexes{};
  std::vector<ForeignKey> foreign_keys{};
  std::vector<std::string> triggers{};
};

struct View {
  std::string name{};
  std::string sql{};
  std::vector<TableColumn> columns{};
  std::string error{};  // Its text no longer compiles.
};

struct Schema {
  std::vector<Table> tables{};
  std::vector<View> views{};
  bool truncated = false;
};

// Sorted by name. Without SQLite's own tables and the tables behind FTS and R-Tree tables.
Outcome<std::vector<std::string>> tables(Connection& connection, Run& run, bool views);
Outcome<std::vector<TableColumn>> columns(Connection& connection, Run& run, const std::string& table);
Outcome<Schema> schema(Connection& connection, Run& run);

}  // namespace parlance::sqlite
