// SPDX-License-Identifier: Apache-2.0
// The schema of a database in messages of sqlite-helper: tables, columns, indexes, foreign keys and views. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parlance/wire/call.h"

namespace parlance::sqlite_bridge {

using wire::field;
using wire::fields;
using wire::Nullable;

struct ColumnInfo {
  std::string name{};
  std::string type{};
  Nullable<std::string> decl_type{};
  Nullable<std::string> sqlite_type{};
  bool notnull = false;
  Nullable<std::string> default_sql{};
  int pk = 0;
  bool hidden = false;
  Nullable<std::string> generated{};
  static constexpr auto wire =
      fields(field<&ColumnInfo::name>("name", "Name of the column."),
             field<&ColumnInfo::type>("type", "Declared type, or an empty text."),
             field<&ColumnInfo::decl_type>("decl_type", "Declared type, or null."),
             field<&ColumnInfo::sqlite_type>("sqlite_type", "Always the value null."),
             field<&ColumnInfo::notnull>("notnull", "True: the column is NOT NULL."),
             field<&ColumnInfo::default_sql>("default", "SQL text of the default value. Null: no default."),
             field<&ColumnInfo::pk>("pk", "Position in the primary key, counted from 1. 0: not in the primary key."),
             field<&ColumnInfo::hidden>("hidden", "True: SELECT * of a virtual table omits the column."),
             field<&ColumnInfo::generated>("generated", "Kind of a generated column: virtual, stored or null."));
};

struct IndexInfo {
  std::string name{};
  bool unique = false;
  std::string origin{};
  bool partial = false;
  std::vector<Nullable<std::string>> columns{};
  static constexpr auto wire = fields(
      field<&IndexInfo::name>("name", "Name of the index."), field<&IndexInfo::unique>("unique", "True: the index is unique."),
      field<&IndexInfo::origin>("origin", "Origin of the index: c (CREATE INDEX), u (UNIQUE) or pk (PRIMARY KEY)."),
      field<&IndexInfo::partial>("partial", "True: the index has a WHERE clause."),
      field<&IndexInfo::columns>("columns", "Names of the columns. Null for expressions."));
};

struct ForeignKeyInfo {
  std::vector<std::string> columns{};
  std::string ref_table{};
  std::vector<Nullable<std::string>> ref_columns{};
  std::string on_update{};
  std::string on_delete{};
  static constexpr auto wire =
      fields(field<&ForeignKeyInfo::columns>("columns", "Columns of this table."),
             field<&ForeignKeyInfo::ref_table>("ref_table", "Name of the referenced table."),
             field<&ForeignKeyInfo::ref_columns>("ref_columns", "Columns of the referenced table. Null: its primary key."),
             field<&ForeignKeyInfo::on_update>("on_update", "Action on update, such as CASCADE."),
             field<&ForeignKeyInfo::on_delete>("on_delete", "Action on delete, such as CASCADE."));
};

struct TableInfo {
  std::string name{};
  std::string kind{};
  bool strict = false;
  bool without_rowid = false;
  std::string sql{};
  std::vector<ColumnInfo> columns{};
  std::vector<IndexInfo> indexes{};
  std::vector<ForeignKeyInfo> foreign_keys{};
  std::vector<std::string> triggers{};
  static constexpr auto wire = fields(field<&TableInfo::name>("name", "Name of the table."),
                                      field<&TableInfo::kind>("kind", "Kind of the table: table or virtual."),
                                      field<&TableInfo::strict>("strict", "True: the table is STRICT."),
                                      field<&TableInfo::without_rowid>("without_rowid", "True: the table is WITHOUT ROWID."),
                                      field<&TableInfo::sql>("sql", "SQL definition of the table."),
                                      field<&TableInfo::columns>("columns", "Columns in order."),
                                      field<&TableInfo::indexes>("indexes", "Indexes, sorted by name."),
                                      field<&TableInfo::foreign_keys>("foreign_keys", "Foreign keys in order."),
                                      field<&TableInfo::triggers>("triggers", "Names of the triggers."));
};

struct ViewInfo {
  std::string name{};
  std::string sql{};
  std::vector<ColumnInfo> columns{};
  std::optional<std::string> error{};
  static constexpr auto wire =
      fields(field<&ViewInfo::name>("name", "Name of the view."), field<&ViewInfo::sql>("sql", "SQL definition of the view."),
             field<&ViewInfo::columns>("columns", "Columns in order."),
             field<&ViewInfo::error>("error", "Error text if the definition no longer compiles. Absent: the view works."));
};

struct SchemaInfo {
  std::string db_path{};
  std::vector<TableInfo> tables{};
  std::vector<ViewInfo> views{};
  bool truncated = false;
  static constexpr auto wire =
      fields(field<&SchemaInfo::db_path>("db_path", "Path of the database file."),
             field<&SchemaInfo::tables>("tables", "Tables, sorted by name."),
             field<&SchemaInfo::views>("views", "Views, sorted by name."),
             field<&SchemaInfo::truncated>("truncated", "True: the schema was too large, and a part is missing."));
};

}  // namespace parlance::sqlite_bridge
