// SPDX-License-Identifier: Apache-2.0
#include "parlance/sqlite/schema.h"

#include <map>

#include <sqlite3.h>

namespace parlance::sqlite {
namespace {

// Sqlite's own pattern needs the escape: a bare _ is a wildcard, and a person's table sqliteXfoo would be hidden.
constexpr std::string_view not_internal = R"( AND name NOT LIKE 'sqlite\_%' ESCAPE '\')";

// Runs one of our statements to its end, and passes each row to `use`.
template <class F>
Outcome<> each_row(Connection& connection, std::string_view sql, std::initializer_list<std::string_view> values, F use) {
  PARLANCE_TRY(statement, connection.own(sql));
  int index = 0;
  for (const std::string_view value : values) statement.bind(++index, value);
  for (;;) {
    PARLANCE_TRY_DO(connection.still_going());
    const int code = sqlite3_step(statement.handle());
    if (code == SQLITE_DONE) return {};
    if (code != SQLITE_ROW) return std::unexpected(connection.failure(code));
    use(statement);
  }
}

struct Listed {
  std::string kind{};  // table, view, virtual, shadow
  bool without_rowid = false;
  bool strict = false;
};

// pragma_table_list reads the definitions of all tables and views; in a damaged file a single bad definition fails the whole
// list. Then sqlite_schema alone lists the tables.
std::map<std::string, Listed, std::less<>> listing(Connection& connection) {
  std::map<std::string, Listed, std::less<>> found;
  const auto done =
      each_row(connection, "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema='main'", {}, [&](Statement& row) {
        found[row.text(0)] = {.kind = row.text(1), .without_rowid = row.integer(2) != 0, .strict = row.integer(3) != 0};
      });
  if (!done) found.clear();
  return found;
}

Outcome<std::vector<TableColumn>> columns_of(Connection& connection, std::string_view table) {
  std::vector<TableColumn> columns;
  PARLANCE_TRY_DO(each_row(
      connection, R"(SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?1,'main') ORDER BY cid)",
      {table}, [&](Statement& row) {
        const std::int64_t hidden = row.integer(5);
        columns.push_back({.name = row.text(0),
                           .type = row.text(1),
                           .not_null = row.integer(2) != 0,
                           .default_sql = row.text_or_null(3),
                           .primary_key = static_cast<int>(row.integer(4)),
                           .hidden = hidden == 1,
                           .generated = hidden == 2   ? TableColumn::Generated::virtual_
                                        : hidden == 3 ? TableColumn::Generated::stored
                                                      : TableColumn::Generated::no});
      }));
  return columns;
}

Outcome<std::vector<TableIndex>> indexes_of(Connection& connection, std::string_view table) {
  std::vector<TableIndex> indexes;
  PARLANCE_TRY_DO(
      each_row(connection, R"(SELECT name, "unique", origin, partial FROM pragma_index_list(?1,'main') ORDER BY name)", {table},
               [&](Statement& row) {
                 indexes.push_back(
                     {.name = row.text(0), .unique = row.integer(1) != 0, .origin = row.text(2), .partial = row.integer(3) != 0});
               }));
  for (TableIndex& index : indexes)
    PARLANCE_TRY_DO(each_row(connection, "SELECT name FROM pragma_index_info(?1,'main') ORDER BY seqno", {index.name},
                             [&](Statement& row) { index.columns.push_back(row.text_or_null(0)); }));
  return indexes;
}

Outcome<std::vector<ForeignKey>> foreign_keys_of(Connection& connection, std::string_view table) {
  std::map<std::int64_t, ForeignKey> keys;
  PARLANCE_TRY_DO(each_row(
      connection,
      R"(SELECT id, "from", "table", "to", on_update, on_delete FROM pragma_foreign_key_list(?1,'main') ORDER BY id, seq)",
      {table}, [&](Statement& row) {
        ForeignKey& key = keys[row.integer(0)];
        key.columns.push_back(row.text(1));
        key.table = row.text(2);
        key.to_columns.push_back(row.text_or_null(3));
        key.on_update = row.text(4);
        key.on_delete = row.text(5);
      }));
  std::vector<ForeignKey> list;
  for (auto& [id, key] : keys) list.push_back(std::move(key));
  return list;
}

// Only errors of SQL concern a single table or view; all others end the listing.
bool ends_listing(const Failure& failure) { return failure.fault != Fault::sql_error; }

}  // namespace

Outcome<std::vector<std::string>> tables(Connection& connection, Run& run, bool views) {
  const Connection::Using under(connection, run, Gate::Mode::own);
  connection.old_quotes(true);  // these statements are ours and have none; views may
  const auto listed = listing(connection);
  std::vector<std::string> names;
  const std::string sql = "SELECT name FROM main.sqlite_schema WHERE type IN ('table'" + std::string(views ? ",'view'" : "") +
                          ")" + std::string(not_internal) + " ORDER BY name";
  PARLANCE_TRY_DO(each_row(connection, sql, {}, [&](Statement& row) {
    std::string name = row.text(0);
    const auto found = listed.find(name);
    if (found == listed.end() || found->second.kind != "shadow") names.push_back(std::move(name));
  }));
  return names;
}

Outcome<std::vector<TableColumn>> columns(Connection& connection, Run& run, const std::string& table) {
  const Connection::Using under(connection, run, Gate::Mode::own);
  connection.old_quotes(true);  // these statements are ours and have none; views may
  bool exists = false;
  // SQLite compares names case-insensitively; its pragma returns no rows for a missing table.
  PARLANCE_TRY_DO(each_row(connection,
                           "SELECT 1 FROM main.sqlite_schema WHERE type IN ('table','view') AND name=?1 COLLATE NOCASE", {table},
                           [&](Statement&) { exists = true; }));
  if (!exists && table != "sqlite_schema" && table != "sqlite_master")
    return fail(Fault::invalid_request, "no such table: " + table);
  return columns_of(connection, table);
}

Outcome<Schema> schema(Connection& connection, Run& run) {
  const Connection::Using under(connection, run, Gate::Mode::own);
  connection.old_quotes(true);  // these statements are ours and have none; views may
  // One snapshot for all queries.
  PARLANCE_TRY_DO(connection.execute_own("BEGIN"));
  struct End {
    Connection& connection;
    ~End() { static_cast<void>(connection.execute_own("ROLLBACK")); }
  } end{connection};
  const auto listed = listing(connection);
  Schema schema;
  PARLANCE_TRY_DO(each_row(connection,
                           "SELECT type, name, sql FROM main.sqlite_schema WHERE type IN ('table','view')" +
                               std::string(not_internal) + " ORDER BY name",
                           {}, [&](Statement& row) {
                             if (row.text(0) == "view") {
                               schema.views.push_back({.name = row.text(1), .sql = row.text(2)});
                               return;
                             }
                             Table table{.name = row.text(1), .kind = "table", .sql = row.text(2)};
                             if (const auto found = listed.find(table.name); found != listed.end()) {
                               if (found->second.kind == "shadow") return;
                               table.kind = found->second.kind;
                               table.strict = found->second.strict;
                               table.without_rowid = found->second.without_rowid;
                             }
                             schema.tables.push_back(std::move(table));
                           }));
  for (Table& table : schema.tables) {
    auto columns = columns_of(connection, table.name);
    // A virtual table without its module, or a damaged definition: the rest is still listed.
    if (!columns) {
      if (ends_listing(columns.error())) return std::unexpected(std::move(columns).error());
      continue;
    }
    table.columns = *std::move(columns);
    PARLANCE_TRY(indexes, indexes_of(connection, table.name));
    table.indexes = std::move(indexes);
    PARLANCE_TRY(keys, foreign_keys_of(connection, table.name));
    table.foreign_keys = std::move(keys);
    PARLANCE_TRY_DO(each_row(
        connection, "SELECT name FROM main.sqlite_schema WHERE type='trigger' AND tbl_name=?1 COLLATE NOCASE ORDER BY name",
        {table.name}, [&](Statement& row) { table.triggers.push_back(row.text(0)); }));
  }
  for (View& view : schema.views) {
    auto columns = columns_of(connection, view.name);
    if (columns) {
      view.columns = *std::move(columns);
      continue;
    }
    if (ends_listing(columns.error())) return std::unexpected(std::move(columns).error());
    view.error = columns.error().message;
  }
  return schema;
}

}  // namespace parlance::sqlite
