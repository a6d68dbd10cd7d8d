// SPDX-License-Identifier: Apache-2.0
// What an editor and sqlite-helper say to each other, NDJSON version 1: one JSON object a line.
//   {"v":1,"id":"7","cmd":"query","payload":{"sql":"SELECT 1"}}
//   {"v":1,"id":"7","status":"ok","data":{…}}
//   {"v":1,"id":"7","status":"error","code":"SQL_ERROR","error":"near …","details":{…}}
// Rows have the columns' names as members, so a query's rows are no declared type; they are written straight from the database
// (server/sqlite/rows.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/wire/call.h"

namespace parlance::sqlite_bridge {

using wire::field;
using wire::fields;
using wire::Nullable;

inline constexpr int version = 1;

// How something that plain JSON cannot carry exactly is told: `number` as a plain number all the same, `tag` as
// {"$type":"int","value":"9007199254740993"}.
enum class Integers : std::uint8_t { number, tag };
constexpr auto wire_names(Integers) { return wire::names("number", "tag"); }
// `error`: a result with an infinity fails; `tag`: {"$type":"real","value":"Infinity"}.
enum class Infinities : std::uint8_t { error, tag };
constexpr auto wire_names(Infinities) { return wire::names("error", "tag"); }

namespace doc {
inline constexpr std::string_view path = "The database of this one command; absent: the one that was connected last.";
inline constexpr std::string_view timeout = "Time for this command in milliseconds, waiting included; 0: no limit.";
inline constexpr std::string_view params =
    "Values for ? in order (array) or by name (object). Bytes as {\"$type\":\"blob\",\"base64\":…}.";
}  // namespace doc

// ---- client -> helper ------------------------------------------------------------------------------------------------

struct Connect {
  std::string path{};
  bool create = false;
  bool repair = false;
  static constexpr auto wire =
      fields(field<&Connect::path>("path", "The file; becomes the active database."),
             field<&Connect::create>("create", "Make an empty one if there is none.").or_default(),
             field<&Connect::repair>("repair", "Undo what a program left half-done that ended while it wrote.").or_default());
};

struct Query {
  std::string sql{};
  std::optional<std::string> path{};
  std::optional<wire::Raw> params{};
  std::optional<std::int64_t> limit{};
  std::optional<std::int64_t> offset{};
  std::optional<std::int64_t> timeout_ms{};
  std::optional<Integers> int64{};
  std::optional<Infinities> nonfinite{};
  static constexpr auto wire =
      fields(field<&Query::sql>("sql", "Exactly one statement that only reads."), field<&Query::path>("path", doc::path),
             field<&Query::params>("params", doc::params), field<&Query::limit>("limit", "Rows at most; --max-rows is the cap."),
             field<&Query::offset>("offset", "Rows to skip first."), field<&Query::timeout_ms>("timeout_ms", doc::timeout),
             field<&Query::int64>("int64", "How integers beyond 2^53 are told."),
             field<&Query::nonfinite>("nonfinite", "What is done about infinities."));
};

struct Execute {
  std::string sql{};
  std::optional<std::string> path{};
  std::optional<wire::Raw> params{};
  std::optional<std::int64_t> timeout_ms{};
  bool preview = false;
  static constexpr auto wire =
      fields(field<&Execute::sql>("sql", "One statement or several; all of them or none take effect."),
             field<&Execute::path>("path", doc::path), field<&Execute::params>("params", doc::params),
             field<&Execute::timeout_ms>("timeout_ms", doc::timeout),
             field<&Execute::preview>("preview", "Tell what would change, and change nothing.").or_default());
};

struct Apply {
  std::string preview_id{};
  std::optional<std::string> path{};
  std::optional<std::int64_t> timeout_ms{};
  static constexpr auto wire =
      fields(field<&Apply::preview_id>("preview_id", "What a preview answered."), field<&Apply::path>("path", doc::path),
             field<&Apply::timeout_ms>("timeout_ms", doc::timeout));
};

struct Undo {
  std::int64_t count = 1;
  std::optional<std::string> path{};
  std::optional<std::int64_t> timeout_ms{};
  static constexpr auto wire =
      fields(field<&Undo::count>("count", "How many writes of this session, the last ones.").or_default(),
             field<&Undo::path>("path", doc::path), field<&Undo::timeout_ms>("timeout_ms", doc::timeout));
};

struct Snapshot {
  std::string to{};
  std::optional<std::string> path{};
  std::optional<std::int64_t> timeout_ms{};
  static constexpr auto wire =
      fields(field<&Snapshot::to>("to", "A file that does not exist yet."), field<&Snapshot::path>("path", doc::path),
             field<&Snapshot::timeout_ms>("timeout_ms", doc::timeout));
};

struct Tables {
  std::optional<std::string> path{};
  bool views = false;
  static constexpr auto wire =
      fields(field<&Tables::path>("path", doc::path), field<&Tables::views>("views", "Views as well.").or_default());
};

struct Columns {
  std::string table{};
  std::optional<std::string> path{};
  static constexpr auto wire =
      fields(field<&Columns::table>("table", "A table or view."), field<&Columns::path>("path", doc::path));
};

struct OfDatabase {  // close, schema
  std::optional<std::string> path{};
  static constexpr auto wire = fields(field<&OfDatabase::path>("path", doc::path));
};

struct Cancel {
  wire::Raw id{};
  static constexpr auto wire = fields(field<&Cancel::id>("id", "Of the command that is no longer wanted."));
};

// ---- helper -> client ------------------------------------------------------------------------------------------------

struct ResultColumn {
  std::string name{};
  Nullable<std::string> decl_type{};
  Nullable<std::string> sqlite_type{};
  std::optional<std::string> original_name{};
  static constexpr auto wire = fields(
      field<&ResultColumn::name>("name", "Unique in this result, and the member of each row."),
      field<&ResultColumn::decl_type>("decl_type", "As declared; null for expressions."),
      field<&ResultColumn::sqlite_type>("sqlite_type", "INTEGER, REAL, TEXT or BLOB, of the first value that is not null."),
      field<&ResultColumn::original_name>("original_name", "Where two columns have one name."));
};

struct QueryResult {
  std::vector<ResultColumn> columns{};
  std::vector<wire::Raw> rows{};
  bool truncated = false;
  Nullable<std::uint64_t> next_offset{};
  std::optional<bool> unsafe_integers{};
  std::optional<std::uint64_t> truncated_cells{};
  static constexpr auto wire = fields(
      field<&QueryResult::columns>("columns", "In order."), field<&QueryResult::rows>("rows", "Objects, their members in order."),
      field<&QueryResult::truncated>("truncated", "There is at least one more row."),
      field<&QueryResult::next_offset>("next_offset", "Where to go on."),
      field<&QueryResult::unsafe_integers>("unsafe_integers", "Some integer is beyond 2^53: ask again with int64:\"tag\"."),
      field<&QueryResult::truncated_cells>("truncated_cells", "Cells of which only the first 64 KiB are here."));
};

struct RowChange {
  std::string op{};
  wire::Raw key{};
  std::optional<wire::Raw> before{};
  std::optional<wire::Raw> after{};
  static constexpr auto wire =
      fields(field<&RowChange::op>("op", "insert, update or delete."), field<&RowChange::key>("key", "The primary key's values."),
             field<&RowChange::before>("before", "Values that go; of an update those that change."),
             field<&RowChange::after>("after", "Values that come."));
};

struct TableChange {
  std::string name{};
  std::uint64_t inserted = 0;
  std::uint64_t updated = 0;
  std::uint64_t deleted = 0;
  std::vector<RowChange> rows{};
  static constexpr auto wire =
      fields(field<&TableChange::name>("name", "The table."), field<&TableChange::inserted>("inserted", "Rows."),
             field<&TableChange::updated>("updated", "Rows."), field<&TableChange::deleted>("deleted", "Rows."),
             field<&TableChange::rows>("rows", "The first of them, with their values."));
};

struct Preview {
  std::optional<std::string> id{};
  std::int64_t changes = 0;
  bool complete = false;
  std::vector<TableChange> tables{};
  bool rows_left_out = false;
  std::optional<std::vector<std::string>> missing{};
  std::optional<std::string> advice{};
  static constexpr auto wire = fields(
      field<&Preview::id>("id", "For apply; absent when it cannot be applied."),
      field<&Preview::changes>("changes", "Rows that the statements themselves would change."),
      field<&Preview::complete>("complete", "Everything that would change is told or counted here."),
      field<&Preview::tables>("tables", "What would change, triggers and cascades included."),
      field<&Preview::rows_left_out>("rows_left_out", "More rows change than are told with their values."),
      field<&Preview::missing>("missing", "Why it is not complete."), field<&Preview::advice>("advice", "What to do instead."));
};

struct ExecuteResult {
  std::int64_t changes = 0;
  std::optional<std::int64_t> last_insert_rowid{};
  std::optional<wire::Raw> result{};
  std::optional<Preview> preview{};
  static constexpr auto wire =
      fields(field<&ExecuteResult::changes>("changes", "Rows, without those that triggers changed."),
             field<&ExecuteResult::last_insert_rowid>("last_insert_rowid", "If a row was inserted into a table that has rowids."),
             field<&ExecuteResult::result>("result", "The rows that RETURNING or a PRAGMA brought, as of a query."),
             field<&ExecuteResult::preview>("preview", "What would change; nothing has been."));
};

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
      fields(field<&ColumnInfo::name>("name", "Name."), field<&ColumnInfo::type>("type", "As declared, or empty."),
             field<&ColumnInfo::decl_type>("decl_type", "The same, or null."),
             field<&ColumnInfo::sqlite_type>("sqlite_type", "Always null."), field<&ColumnInfo::notnull>("notnull", "NOT NULL."),
             field<&ColumnInfo::default_sql>("default", "SQL text of the default."),
             field<&ColumnInfo::pk>("pk", "Place in the primary key, counted from 1; 0: not in it."),
             field<&ColumnInfo::hidden>("hidden", "Of a virtual table, not in SELECT *."),
             field<&ColumnInfo::generated>("generated", "virtual, stored or null."));
};

struct IndexInfo {
  std::string name{};
  bool unique = false;
  std::string origin{};
  bool partial = false;
  std::vector<Nullable<std::string>> columns{};
  static constexpr auto wire = fields(
      field<&IndexInfo::name>("name", "Name."), field<&IndexInfo::unique>("unique", "No two rows alike."),
      field<&IndexInfo::origin>("origin", "c: CREATE INDEX, u: UNIQUE, pk: PRIMARY KEY."),
      field<&IndexInfo::partial>("partial", "It has a WHERE."), field<&IndexInfo::columns>("columns", "Null for expressions."));
};

struct ForeignKeyInfo {
  std::vector<std::string> columns{};
  std::string ref_table{};
  std::vector<Nullable<std::string>> ref_columns{};
  std::string on_update{};
  std::string on_delete{};
  static constexpr auto wire =
      fields(field<&ForeignKeyInfo::columns>("columns", "Here."), field<&ForeignKeyInfo::ref_table>("ref_table", "The parent."),
             field<&ForeignKeyInfo::ref_columns>("ref_columns", "There; null: the parent's primary key."),
             field<&ForeignKeyInfo::on_update>("on_update", "What follows."),
             field<&ForeignKeyInfo::on_delete>("on_delete", "What follows."));
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
  static constexpr auto wire =
      fields(field<&TableInfo::name>("name", "Name."), field<&TableInfo::kind>("kind", "table or virtual."),
             field<&TableInfo::strict>("strict", "STRICT."), field<&TableInfo::without_rowid>("without_rowid", "WITHOUT ROWID."),
             field<&TableInfo::sql>("sql", "Its definition."), field<&TableInfo::columns>("columns", "In order."),
             field<&TableInfo::indexes>("indexes", "By name."), field<&TableInfo::foreign_keys>("foreign_keys", "In order."),
             field<&TableInfo::triggers>("triggers", "Names."));
};

struct ViewInfo {
  std::string name{};
  std::string sql{};
  std::vector<ColumnInfo> columns{};
  std::optional<std::string> error{};
  static constexpr auto wire = fields(field<&ViewInfo::name>("name", "Name."), field<&ViewInfo::sql>("sql", "Its definition."),
                                      field<&ViewInfo::columns>("columns", "In order."),
                                      field<&ViewInfo::error>("error", "Its definition no longer compiles."));
};

struct SchemaInfo {
  std::string db_path{};
  std::vector<TableInfo> tables{};
  std::vector<ViewInfo> views{};
  bool truncated = false;
  static constexpr auto wire = fields(
      field<&SchemaInfo::db_path>("db_path", "The file."), field<&SchemaInfo::tables>("tables", "By name."),
      field<&SchemaInfo::views>("views", "By name."), field<&SchemaInfo::truncated>("truncated", "Something was left out."));
};

struct Version {
  std::string name{};
  std::string version{};
  std::vector<int> protocol{};
  std::string sqlite{};
  static constexpr auto wire = fields(
      field<&Version::name>("name", "sqlite-helper."), field<&Version::version>("version", "Of it."),
      field<&Version::protocol>("protocol", "Versions of this protocol."), field<&Version::sqlite>("sqlite", "Of the library."));
};

struct Cancelled {
  bool cancelled = false;
  static constexpr auto wire =
      fields(field<&Cancelled::cancelled>("cancelled", "False: it has been answered, or its commit has begun and it will be."));
};

// ---- errors ------------------------------------------------------------------------------------------------------------

enum class Code : std::uint8_t {
  invalid_request,
  path_not_allowed,
  db_open_failed,
  sql_error,
  not_readonly,
  invalid_number,
  timeout,
  cancelled,
  internal,
};
constexpr auto wire_names(Code) {
  return wire::names("INVALID_REQUEST", "PATH_NOT_ALLOWED", "DB_OPEN_FAILED", "SQL_ERROR", "NOT_READONLY", "INVALID_NUMBER",
                     "TIMEOUT", "CANCELLED", "INTERNAL");
}

struct Details {
  std::optional<std::string> path{};
  std::optional<std::string> column{};
  std::optional<std::int64_t> row{};
  std::optional<std::string> value{};
  std::optional<int> sqlite_code{};
  std::optional<int> sqlite_extended_code{};
  std::optional<int> statement{};
  std::optional<int> statements{};
  std::optional<int> offset{};
  std::optional<std::string> hint{};
  std::optional<std::vector<int>> supported{};
  std::optional<std::uint64_t> max_line{};
  static constexpr auto wire = fields(
      field<&Details::path>("path", "As it was asked for."), field<&Details::column>("column", "Where the value was."),
      field<&Details::row>("row", "Of the page, counted from 0."), field<&Details::value>("value", "Infinity or -Infinity."),
      field<&Details::sqlite_code>("sqlite_code", "SQLite's primary code."),
      field<&Details::sqlite_extended_code>("sqlite_extended_code", "SQLite's extended code."),
      field<&Details::statement>("statement", "Which of several, counted from 1."),
      field<&Details::statements>("statements", "How many there were."),
      field<&Details::offset>("offset", "Of the trouble in the statement, bytes."),
      field<&Details::hint>("hint", "hot-journal or wal-readonly-directory."),
      field<&Details::supported>("supported", "Versions of this protocol."),
      field<&Details::max_line>("max_line", "The longest line, bytes."));
};

struct Failure {
  Code code = Code::internal;
  std::string error{};
  Details details{};
};

// ---- commands ------------------------------------------------------------------------------------------------------------

inline constexpr auto methods =
    wire::methods(wire::call<Connect, bool>("connect", "Opens a database and makes it the active one."),
                  wire::call<Query, QueryResult>("query", "Runs one statement that only reads."),
                  wire::call<Execute, ExecuteResult>("execute", "Runs statements that may write."),
                  wire::call<Apply, ExecuteResult>("apply", "Does what a preview told, if the rows are still as it found them."),
                  wire::call<Undo, ExecuteResult>("undo", "Takes back the last writes of this session."),
                  wire::call<Snapshot, bool>("snapshot", "Copies the database to a new file while it is in use."),
                  wire::call<Tables, std::vector<std::string>>("tables", "Names of the tables."),
                  wire::call<Columns, std::vector<ColumnInfo>>("columns", "Columns of a table or view."),
                  wire::call<OfDatabase, SchemaInfo>("schema", "Everything that is declared in a database."),
                  wire::call<OfDatabase, bool>("close", "Closes a database."),
                  wire::call<Cancel, Cancelled>("cancel", "Stops a command, which answers CANCELLED."),
                  wire::call<wire::Nothing, wire::Nothing>("ping", "Answers at once."),
                  wire::call<wire::Nothing, Version>("version", "Who answers."));

inline constexpr const auto& connect = wire::method<methods, "connect">;
inline constexpr const auto& query = wire::method<methods, "query">;
inline constexpr const auto& execute = wire::method<methods, "execute">;
inline constexpr const auto& apply = wire::method<methods, "apply">;
inline constexpr const auto& undo = wire::method<methods, "undo">;
inline constexpr const auto& snapshot = wire::method<methods, "snapshot">;
inline constexpr const auto& tables = wire::method<methods, "tables">;
inline constexpr const auto& columns = wire::method<methods, "columns">;
inline constexpr const auto& schema = wire::method<methods, "schema">;
inline constexpr const auto& close = wire::method<methods, "close">;
inline constexpr const auto& cancel = wire::method<methods, "cancel">;
inline constexpr const auto& ping = wire::method<methods, "ping">;
inline constexpr const auto& get_version = wire::method<methods, "version">;

}  // namespace parlance::sqlite_bridge
