// SPDX-License-Identifier: Apache-2.0
// Messages between an editor and sqlite-helper, NDJSON version 1: one JSON object for each line.
//   {"v":1,"id":"7","cmd":"query","payload":{"sql":"SELECT 1"}}
//   {"v":1,"id":"7","status":"ok","data":{…}}
//   {"v":1,"id":"7","status":"error","code":"SQL_ERROR","error":"near …","details":{…}}
// Rows have the columns' names as members, so rows of a query have no declared type; they are written directly from the database
// (server/sqlite/rows.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/protocol/sqlite_bridge/schema_messages.h"
#include "parlance/wire/call.h"

namespace parlance::sqlite_bridge {

inline constexpr int version = 1;

// Form of integers that plain JSON cannot carry exactly: `number` as a plain number, `tag` as
// {"$type":"int","value":"9007199254740993"}.
enum class Integers : std::uint8_t { number, tag };
constexpr auto wire_names(Integers) { return wire::names("number", "tag"); }
// `error`: a result with an infinity fails; `tag`: {"$type":"real","value":"Infinity"}.
enum class Infinities : std::uint8_t { error, tag };
constexpr auto wire_names(Infinities) { return wire::names("error", "tag"); }

namespace doc {
inline constexpr std::string_view path = "Path of the database for this command. Absent: the active database.";
inline constexpr std::string_view timeout =
    "Time limit of the command in milliseconds, waiting included. 0: no limit. Absent: the value of "
    "--timeout-ms, 30000 by default.";
inline constexpr std::string_view params =
    "Values of the parameters: an array for ?, an object for names. A blob is {\"$type\":\"blob\",\"base64\":…}.";
}  // namespace doc

// ---- client -> helper ------------------------------------------------------------------------------------------------

struct Connect {
  std::string path{};
  bool create = false;
  bool repair = false;
  static constexpr auto wire = fields(
      field<&Connect::path>("path", "Path of the database file. The database becomes the active database."),
      field<&Connect::create>("create", "True: create an empty database if the file is missing. Default: false.").or_default(),
      field<&Connect::repair>("repair", "True: roll back the unfinished write of a program that died. Default: false.")
          .or_default());
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
      fields(field<&Query::sql>("sql", "A single read-only SQL statement."), field<&Query::path>("path", doc::path),
             field<&Query::params>("params", doc::params),
             field<&Query::limit>("limit", "Highest number of rows. `--max-rows` limits this number."),
             field<&Query::offset>("offset", "Number of rows to skip first. Default: 0."),
             field<&Query::timeout_ms>("timeout_ms", doc::timeout),
             field<&Query::int64>("int64", "Form of integers beyond 2^53: number or tag. Default: number."),
             field<&Query::nonfinite>("nonfinite", "Form of infinite values: error or tag. Default: error."));
};

struct Execute {
  std::string sql{};
  std::optional<std::string> path{};
  std::optional<wire::Raw> params{};
  std::optional<std::int64_t> timeout_ms{};
  bool preview = false;
  static constexpr auto wire =
      fields(field<&Execute::sql>("sql", "One or more SQL statements. All statements take effect together, or none does."),
             field<&Execute::path>("path", doc::path), field<&Execute::params>("params", doc::params),
             field<&Execute::timeout_ms>("timeout_ms", doc::timeout),
             field<&Execute::preview>("preview", "True: report the changes and write nothing. Default: false.").or_default());
};

struct Apply {
  std::string preview_id{};
  std::optional<std::string> path{};
  std::optional<std::int64_t> timeout_ms{};
  static constexpr auto wire =
      fields(field<&Apply::preview_id>("preview_id", "Id of a preview."), field<&Apply::path>("path", doc::path),
             field<&Apply::timeout_ms>("timeout_ms", doc::timeout));
};

struct Undo {
  std::int64_t count = 1;
  std::optional<std::string> path{};
  std::optional<std::int64_t> timeout_ms{};
  static constexpr auto wire =
      fields(field<&Undo::count>("count", "Number of writes of this session to undo, the latest first. Default: 1.").or_default(),
             field<&Undo::path>("path", doc::path), field<&Undo::timeout_ms>("timeout_ms", doc::timeout));
};

struct Snapshot {
  std::string to{};
  std::optional<std::string> path{};
  std::optional<std::int64_t> timeout_ms{};
  static constexpr auto wire =
      fields(field<&Snapshot::to>("to", "Path of the copy. No file may exist at this path."),
             field<&Snapshot::path>("path", doc::path), field<&Snapshot::timeout_ms>("timeout_ms", doc::timeout));
};

struct Tables {
  std::optional<std::string> path{};
  bool views = false;
  static constexpr auto wire = fields(field<&Tables::path>("path", doc::path),
                                      field<&Tables::views>("views", "True: include views. Default: false.").or_default());
};

struct Columns {
  std::string table{};
  std::optional<std::string> path{};
  static constexpr auto wire =
      fields(field<&Columns::table>("table", "Name of a table or view."), field<&Columns::path>("path", doc::path));
};

struct OfDatabase {  // For close and schema.
  std::optional<std::string> path{};
  static constexpr auto wire = fields(field<&OfDatabase::path>("path", doc::path));
};

struct Cancel {
  wire::Raw id{};
  static constexpr auto wire = fields(field<&Cancel::id>("id", "Id of the command to cancel."));
};

// ---- helper -> client ------------------------------------------------------------------------------------------------

struct ResultColumn {
  std::string name{};
  Nullable<std::string> decl_type{};
  Nullable<std::string> sqlite_type{};
  std::optional<std::string> original_name{};
  static constexpr auto wire = fields(
      field<&ResultColumn::name>("name", "Name of the column, unique in the result, and the member of each row."),
      field<&ResultColumn::decl_type>("decl_type", "Declared type of the column. Null for expressions."),
      field<&ResultColumn::sqlite_type>("sqlite_type", "Type of the first value that is not null: INTEGER, REAL, TEXT or BLOB."),
      field<&ResultColumn::original_name>("original_name",
                                          "Original name of the column, if several columns have the same name."));
};

struct QueryResult {
  std::vector<ResultColumn> columns{};
  std::vector<wire::Raw> rows{};
  bool truncated = false;
  Nullable<std::uint64_t> next_offset{};
  std::optional<bool> unsafe_integers{};
  std::optional<std::uint64_t> truncated_cells{};
  static constexpr auto wire =
      fields(field<&QueryResult::columns>("columns", "Columns of the result, in order."),
             field<&QueryResult::rows>("rows", "Rows as objects with the columns as members, in order."),
             field<&QueryResult::truncated>("truncated", "True: at least one more row exists."),
             field<&QueryResult::next_offset>("next_offset", "The `offset` for the next page. Null: this is the last page."),
             field<&QueryResult::unsafe_integers>(
                 "unsafe_integers", "True: an integer is beyond 2^53 and may be inexact. Repeat the query with int64:\"tag\"."),
             field<&QueryResult::truncated_cells>("truncated_cells",
                                                  "Number of cells that were cut to their first 64 KiB. Absent: none."));
};

struct RowChange {
  std::string op{};
  wire::Raw key{};
  std::optional<wire::Raw> before{};
  std::optional<wire::Raw> after{};
  static constexpr auto wire =
      fields(field<&RowChange::op>("op", "Kind of the change: insert, update or delete."),
             field<&RowChange::key>("key", "Values of the primary key."),
             field<&RowChange::before>("before", "Values before the change. For an update, only the changed columns."),
             field<&RowChange::after>("after", "Values after the change. For an update, only the changed columns."));
};

struct TableChange {
  std::string name{};
  std::uint64_t inserted = 0;
  std::uint64_t updated = 0;
  std::uint64_t deleted = 0;
  std::vector<RowChange> rows{};
  static constexpr auto wire = fields(field<&TableChange::name>("name", "Name of the table."),
                                      field<&TableChange::inserted>("inserted", "Number of inserted rows."),
                                      field<&TableChange::updated>("updated", "Number of updated rows."),
                                      field<&TableChange::deleted>("deleted", "Number of deleted rows."),
                                      field<&TableChange::rows>("rows", "The first changed rows with their values."));
};

struct Preview {
  std::optional<std::string> id{};
  std::int64_t changes = 0;
  bool complete = false;
  std::vector<TableChange> tables{};
  bool rows_left_out = false;
  std::optional<std::vector<std::string>> missing{};
  std::optional<std::string> advice{};
  static constexpr auto wire =
      fields(field<&Preview::id>("id", "Id for apply. Absent: the preview cannot be applied."),
             field<&Preview::changes>("changes", "Number of rows that the statements change, without triggers and cascades."),
             field<&Preview::complete>("complete", "True: the preview lists or counts every change."),
             field<&Preview::tables>("tables", "Changed tables, triggers and cascades included."),
             field<&Preview::rows_left_out>("rows_left_out", "Number of changed rows without listed values."),
             field<&Preview::missing>("missing", "Reason of an incomplete preview."),
             field<&Preview::advice>("advice", "Action that parlance recommends."));
};

struct ExecuteResult {
  std::int64_t changes = 0;
  std::optional<std::int64_t> last_insert_rowid{};
  std::optional<wire::Raw> result{};
  std::optional<Preview> preview{};
  static constexpr auto wire =
      fields(field<&ExecuteResult::changes>("changes", "Number of changed rows. Changes by triggers do not count."),
             field<&ExecuteResult::last_insert_rowid>(
                 "last_insert_rowid", "Rowid of the last inserted row. Absent: no row with a rowid was inserted."),
             field<&ExecuteResult::result>("result", "Rows returned by RETURNING or by a PRAGMA, in the form of a query."),
             field<&ExecuteResult::preview>("preview", "The changes that the statements would make. Nothing was written."));
};

struct Version {
  std::string name{};
  std::string version{};
  std::vector<int> protocol{};
  std::string sqlite{};
  static constexpr auto wire = fields(field<&Version::name>("name", "Always the value \"sqlite-helper\"."),
                                      field<&Version::version>("version", "Version of sqlite-helper."),
                                      field<&Version::protocol>("protocol", "Supported versions of this protocol."),
                                      field<&Version::sqlite>("sqlite", "Version of the SQLite library."));
};

struct Cancelled {
  bool cancelled = false;
  static constexpr auto wire = fields(field<&Cancelled::cancelled>(
      "cancelled",
      "True: the command was cancelled. False: the command is already answered, or its commit has begun "
      "and an answer follows."));
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
      field<&Details::path>("path", "Path as given in the request."), field<&Details::column>("column", "Column of the value."),
      field<&Details::row>("row", "Row of the page, counted from 0."),
      field<&Details::value>("value", "The value: Infinity or -Infinity."),
      field<&Details::sqlite_code>("sqlite_code", "Primary result code of SQLite."),
      field<&Details::sqlite_extended_code>("sqlite_extended_code", "Extended result code of SQLite."),
      field<&Details::statement>("statement", "Position of the failed statement, counted from 1."),
      field<&Details::statements>("statements", "Number of statements in the request."),
      field<&Details::offset>("offset", "Position of the fault in the statement, in bytes."),
      field<&Details::hint>("hint", "Kind of the obstacle: hot-journal or wal-readonly-directory."),
      field<&Details::supported>("supported", "Supported versions of this protocol."),
      field<&Details::max_line>("max_line", "Highest length of a line in bytes."));
};

struct Failure {
  Code code = Code::internal;
  std::string error{};
  Details details{};
};

// ---- commands ------------------------------------------------------------------------------------------------------------

inline constexpr auto methods = wire::methods(
    wire::call<Connect, bool>("connect", "Opens a database and makes it the active database."),
    wire::call<Query, QueryResult>("query", "Runs a single read-only SQL statement."),
    wire::call<Execute, ExecuteResult>("execute", "Runs SQL statements that may write."),
    wire::call<Apply, ExecuteResult>(
        "apply", "Makes exactly the changes of a preview. Fails without a change if the affected rows changed since."),
    wire::call<Undo, ExecuteResult>("undo", "Undoes the latest writes of this session."),
    wire::call<Snapshot, bool>("snapshot", "Copies a database to a new file while the database is in use."),
    wire::call<Tables, std::vector<std::string>>("tables", "Lists the names of the tables."),
    wire::call<Columns, std::vector<ColumnInfo>>("columns", "Lists the columns of a table or view."),
    wire::call<OfDatabase, SchemaInfo>("schema", "Returns the schema of a database."),
    wire::call<OfDatabase, bool>("close", "Closes a database."),
    wire::call<Cancel, Cancelled>("cancel", "Cancels a command. The command then answers CANCELLED."),
    wire::call<wire::Nothing, wire::Nothing>("ping", "Checks the connection. Returns at once."),
    wire::call<wire::Nothing, Version>("version", "Returns name and versions of the program."));

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
