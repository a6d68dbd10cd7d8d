// SPDX-License-Identifier: Apache-2.0
// The arguments of sqlite-helper's tools over MCP, and the shape of rows in their schemas. Results equal the results of the
// matching NDJSON commands (protocol/sqlite_bridge/messages.h). Values; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parlance/protocol/sqlite_bridge/messages.h"

namespace parlance::server {

using wire::field;
using wire::fields;

namespace doc {
inline constexpr const char* db_path = "Absolute path of the database file.";
inline constexpr const char* tool_params =
    "Values of the parameters: an array for ?, an object for :name, @name or $name. A blob is "
    "{\"$type\":\"blob\",\"base64\":…}.";
inline constexpr const char* tool_timeout =
    "Time limit in milliseconds. 0: no limit. Absent: the value of --timeout-ms, 30000 by default.";
}  // namespace doc

struct ReadQueryArguments {
  std::string db_path{};
  std::string sql{};
  std::optional<std::int64_t> limit{};
  std::optional<std::int64_t> offset{};
  std::optional<wire::Raw> params{};
  std::optional<std::int64_t> timeout_ms{};
  sqlite_bridge::Integers int64 = sqlite_bridge::Integers::number;
  sqlite_bridge::Infinities nonfinite = sqlite_bridge::Infinities::error;
  static constexpr auto wire =
      fields(field<&ReadQueryArguments::db_path>("db_path", doc::db_path),
             field<&ReadQueryArguments::sql>("sql", "A single read-only SQL statement."),
             field<&ReadQueryArguments::limit>(
                 "limit", "Highest number of rows to return. If more rows exist, the result has `truncated` and `next_offset`."),
             field<&ReadQueryArguments::offset>(
                 "offset", "Number of rows to skip first. Order by a unique key to read a table page by page. Default: 0."),
             field<&ReadQueryArguments::params>("params", doc::tool_params),
             field<&ReadQueryArguments::timeout_ms>("timeout_ms", doc::tool_timeout),
             field<&ReadQueryArguments::int64>(
                 "int64",
                 "`tag` returns integers beyond 2^53 as {\"$type\":\"int\",\"value\":…}. Default: `number`, which "
                 "returns all integers as JSON numbers.")
                 .or_default(),
             field<&ReadQueryArguments::nonfinite>(
                 "nonfinite",
                 "`tag` returns infinite values as {\"$type\":\"real\",\"value\":…}. Default: `error`, which fails the query.")
                 .or_default());
};

struct WriteQueryArguments {
  std::string db_path{};
  std::string sql{};
  std::optional<wire::Raw> params{};
  std::optional<std::int64_t> timeout_ms{};
  bool preview = false;
  static constexpr auto wire = fields(
      field<&WriteQueryArguments::db_path>("db_path", doc::db_path),
      field<&WriteQueryArguments::sql>("sql", "One or more SQL statements. All statements take effect together, or none does."),
      field<&WriteQueryArguments::params>("params", doc::tool_params),
      field<&WriteQueryArguments::timeout_ms>("timeout_ms", doc::tool_timeout),
      field<&WriteQueryArguments::preview>(
          "preview",
          "True reports the rows that would change, and writes nothing. apply_preview then makes exactly these "
          "changes. Default: false.")
          .or_default());
};

struct ApplyPreviewArguments {
  std::string db_path{};
  std::string preview_id{};
  std::optional<std::int64_t> timeout_ms{};
  static constexpr auto wire =
      fields(field<&ApplyPreviewArguments::db_path>("db_path", doc::db_path),
             field<&ApplyPreviewArguments::preview_id>("preview_id", "The `preview.id` from a result of write_query."),
             field<&ApplyPreviewArguments::timeout_ms>("timeout_ms", doc::tool_timeout));
};

struct UndoWritesArguments {
  std::string db_path{};
  std::int64_t count = 1;
  std::optional<std::int64_t> timeout_ms{};
  static constexpr auto wire =
      fields(field<&UndoWritesArguments::db_path>("db_path", doc::db_path),
             field<&UndoWritesArguments::count>("count", "Number of writes to undo, the latest first. Default: 1.").or_default(),
             field<&UndoWritesArguments::timeout_ms>("timeout_ms", doc::tool_timeout));
};

struct TakeSnapshotArguments {
  std::string db_path{};
  std::string to{};
  std::optional<std::int64_t> timeout_ms{};
  static constexpr auto wire =
      fields(field<&TakeSnapshotArguments::db_path>("db_path", doc::db_path),
             field<&TakeSnapshotArguments::to>("to", "Absolute path of the copy. No file may exist at this path."),
             field<&TakeSnapshotArguments::timeout_ms>("timeout_ms", doc::tool_timeout));
};

struct GetSchemaArguments {
  std::string db_path{};
  static constexpr auto wire = fields(field<&GetSchemaArguments::db_path>("db_path", doc::db_path));
};

struct SnapshotTaken {
  std::string db_path{};
  std::string snapshot{};
  static constexpr auto wire = fields(field<&SnapshotTaken::db_path>("db_path", "Path of the copied database."),
                                      field<&SnapshotTaken::snapshot>("snapshot", "Path of the copy."));
};

// For schemas only: sqlite_bridge::QueryResult with rows as objects of any members.
using AnyRow = std::map<std::string, wire::Raw>;
struct RowsSchema {
  std::vector<sqlite_bridge::ResultColumn> columns{};
  std::vector<AnyRow> rows{};
  bool truncated = false;
  sqlite_bridge::Nullable<std::uint64_t> next_offset{};
  std::optional<bool> unsafe_integers{};
  std::optional<std::uint64_t> truncated_cells{};
  static constexpr auto wire = fields(
      field<&RowsSchema::columns>("columns", "Columns of the result, in order."),
      field<&RowsSchema::rows>("rows", "Rows of the result. Each row is an object with the columns as members."),
      field<&RowsSchema::truncated>("truncated", "True: at least one more row exists."),
      field<&RowsSchema::next_offset>("next_offset", "The `offset` for the next page. Null: this is the last page."),
      field<&RowsSchema::unsafe_integers>(
          "unsafe_integers", "True: an integer is beyond 2^53 and may be inexact. Repeat the query with `int64` set to \"tag\"."),
      field<&RowsSchema::truncated_cells>("truncated_cells",
                                          "Number of cells that were cut to their first 64 KiB. Absent: none."));
};
struct WriteSchema {
  std::int64_t changes = 0;
  std::optional<std::int64_t> last_insert_rowid{};
  std::optional<RowsSchema> result{};
  std::optional<sqlite_bridge::Preview> preview{};
  static constexpr auto wire =
      fields(field<&WriteSchema::changes>("changes", "Number of changed rows. Changes by triggers do not count."),
             field<&WriteSchema::last_insert_rowid>("last_insert_rowid",
                                                    "Rowid of the last inserted row. Absent: no row with a rowid was inserted."),
             field<&WriteSchema::result>("result", "Rows returned by RETURNING or by a PRAGMA."),
             field<&WriteSchema::preview>("preview",
                                          "The changes that the statements would make. With a preview, nothing was written."));
};

// The tools; models read their descriptions.
namespace sqlite_tool {

inline constexpr auto methods = wire::methods(
    wire::call<ReadQueryArguments, RowsSchema>(
        "read_query", "Runs a single read-only SQL statement (SELECT, WITH … SELECT, some PRAGMAs). Returns one page of rows."),
    wire::call<GetSchemaArguments, sqlite_bridge::SchemaInfo>(
        "get_schema", "Returns the schema of a database: tables with columns, indexes, foreign keys and triggers, and views."),
    wire::call<WriteQueryArguments, WriteSchema>(
        "write_query",
        "Runs SQL statements that write: INSERT, UPDATE, DELETE, CREATE and others. Either all of them take "
        "effect or none. With preview: true, the result shows the changes and nothing is written."),
    wire::call<ApplyPreviewArguments, WriteSchema>(
        "apply_preview",
        "Makes exactly the changes of a write_query preview. Fails without a change if the affected rows "
        "changed since the preview."),
    wire::call<UndoWritesArguments, WriteSchema>(
        "undo_writes",
        "Undoes the latest writes of this server. Fails without a change if the affected rows changed since the write."),
    wire::call<TakeSnapshotArguments, SnapshotTaken>(
        "take_snapshot",
        "Copies a database to a new file while the database is in use. Take a snapshot before a write that "
        "undo_writes cannot undo."));

inline constexpr const auto& read_query = wire::method<methods, "read_query">;
inline constexpr const auto& get_schema = wire::method<methods, "get_schema">;
inline constexpr const auto& write_query = wire::method<methods, "write_query">;
inline constexpr const auto& apply_preview = wire::method<methods, "apply_preview">;
inline constexpr const auto& undo_writes = wire::method<methods, "undo_writes">;
inline constexpr const auto& take_snapshot = wire::method<methods, "take_snapshot">;

}  // namespace sqlite_tool

}  // namespace parlance::server
