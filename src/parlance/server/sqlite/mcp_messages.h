// SPDX-License-Identifier: Apache-2.0
// What the tools of sqlite-helper take over MCP, and the shape of rows as their schemas tell it. Results are those of the commands of
// the same meaning over NDJSON (protocol/sqlite_bridge/messages.h). Values; any thread.
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
inline constexpr const char* db_path = "The database: an absolute path.";
inline constexpr const char* tool_params =
    "An array for ?, an object for :name, @name or $name. A blob is {\"$type\":\"blob\",\"base64\":…}.";
inline constexpr const char* tool_timeout = "Milliseconds until it is given up; 0: never.";
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
             field<&ReadQueryArguments::sql>("sql", "One statement that only reads."),
             field<&ReadQueryArguments::limit>("limit", "Rows at most; more are told as truncated with next_offset."),
             field<&ReadQueryArguments::offset>("offset", "Rows to skip first. Order by a unique key to page through a table."),
             field<&ReadQueryArguments::params>("params", doc::tool_params),
             field<&ReadQueryArguments::timeout_ms>("timeout_ms", doc::tool_timeout),
             field<&ReadQueryArguments::int64>("int64", "tag: integers beyond 2^53 come as {\"$type\":\"int\",\"value\":…}.")
                 .or_default(),
             field<&ReadQueryArguments::nonfinite>("nonfinite", "tag: infinities come as {\"$type\":\"real\",\"value\":…}.")
                 .or_default());
};

struct WriteQueryArguments {
  std::string db_path{};
  std::string sql{};
  std::optional<wire::Raw> params{};
  std::optional<std::int64_t> timeout_ms{};
  bool preview = false;
  static constexpr auto wire =
      fields(field<&WriteQueryArguments::db_path>("db_path", doc::db_path),
             field<&WriteQueryArguments::sql>("sql", "One statement or several; all of them or none take effect."),
             field<&WriteQueryArguments::params>("params", doc::tool_params),
             field<&WriteQueryArguments::timeout_ms>("timeout_ms", doc::tool_timeout),
             field<&WriteQueryArguments::preview>(
                 "preview", "Tell which rows would change and how, and change nothing. apply_preview then does just that.")
                 .or_default());
};

struct ApplyPreviewArguments {
  std::string db_path{};
  std::string preview_id{};
  std::optional<std::int64_t> timeout_ms{};
  static constexpr auto wire = fields(field<&ApplyPreviewArguments::db_path>("db_path", doc::db_path),
                                      field<&ApplyPreviewArguments::preview_id>("preview_id", "preview.id of a write_query."),
                                      field<&ApplyPreviewArguments::timeout_ms>("timeout_ms", doc::tool_timeout));
};

struct UndoWritesArguments {
  std::string db_path{};
  std::int64_t count = 1;
  std::optional<std::int64_t> timeout_ms{};
  static constexpr auto wire =
      fields(field<&UndoWritesArguments::db_path>("db_path", doc::db_path),
             field<&UndoWritesArguments::count>("count", "How many writes, the last ones; 1 unless given.").or_default(),
             field<&UndoWritesArguments::timeout_ms>("timeout_ms", doc::tool_timeout));
};

struct TakeSnapshotArguments {
  std::string db_path{};
  std::string to{};
  std::optional<std::int64_t> timeout_ms{};
  static constexpr auto wire =
      fields(field<&TakeSnapshotArguments::db_path>("db_path", doc::db_path),
             field<&TakeSnapshotArguments::to>("to", "A file that does not exist yet: an absolute path."),
             field<&TakeSnapshotArguments::timeout_ms>("timeout_ms", doc::tool_timeout));
};

struct GetSchemaArguments {
  std::string db_path{};
  static constexpr auto wire = fields(field<&GetSchemaArguments::db_path>("db_path", doc::db_path));
};

struct SnapshotTaken {
  std::string db_path{};
  std::string snapshot{};
  static constexpr auto wire = fields(field<&SnapshotTaken::db_path>("db_path", "The database."),
                                      field<&SnapshotTaken::snapshot>("snapshot", "Its copy."));
};

// For schemas only: what sqlite_bridge::QueryResult says, with rows as objects of any members.
using AnyRow = std::map<std::string, wire::Raw>;
struct RowsSchema {
  std::vector<sqlite_bridge::ResultColumn> columns{};
  std::vector<AnyRow> rows{};
  bool truncated = false;
  sqlite_bridge::Nullable<std::uint64_t> next_offset{};
  std::optional<bool> unsafe_integers{};
  std::optional<std::uint64_t> truncated_cells{};
  static constexpr auto wire = fields(
      field<&RowsSchema::columns>("columns", "In order."), field<&RowsSchema::rows>("rows", "One object a row, by column."),
      field<&RowsSchema::truncated>("truncated", "There is at least one more row."),
      field<&RowsSchema::next_offset>("next_offset", "Where to go on."),
      field<&RowsSchema::unsafe_integers>("unsafe_integers", "Some integer is beyond 2^53: ask again with int64 \"tag\"."),
      field<&RowsSchema::truncated_cells>("truncated_cells", "Cells of which only the first 64 KiB are here."));
};
struct WriteSchema {
  std::int64_t changes = 0;
  std::optional<std::int64_t> last_insert_rowid{};
  std::optional<RowsSchema> result{};
  std::optional<sqlite_bridge::Preview> preview{};
  static constexpr auto wire =
      fields(field<&WriteSchema::changes>("changes", "Rows, without those that triggers changed."),
             field<&WriteSchema::last_insert_rowid>("last_insert_rowid", "If a row was inserted into a table that has rowids."),
             field<&WriteSchema::result>("result", "The rows that RETURNING or a PRAGMA brought."),
             field<&WriteSchema::preview>("preview", "What would change; nothing has been."));
};

// The tools; their sentences are what a model reads.
namespace sqlite_tool {

inline constexpr auto methods = wire::methods(
    wire::call<ReadQueryArguments, RowsSchema>(
        "read_query", "Runs one statement that only reads (SELECT, WITH … SELECT, some PRAGMAs) and returns a page of its rows."),
    wire::call<GetSchemaArguments, sqlite_bridge::SchemaInfo>(
        "get_schema",
        "Everything that is declared in a database: tables with columns, indexes, foreign keys and triggers; views."),
    wire::call<WriteQueryArguments, WriteSchema>(
        "write_query",
        "Runs statements that write: INSERT, UPDATE, DELETE, CREATE … All of them take effect or none. With preview: true "
        "nothing is written, and the answer tells what would change."),
    wire::call<ApplyPreviewArguments, WriteSchema>(
        "apply_preview", "Does what a preview of write_query told, if the rows are still as it found them; otherwise nothing."),
    wire::call<UndoWritesArguments, WriteSchema>(
        "undo_writes", "Takes back the last writes that were made through this server, if the rows are still as they left them."),
    wire::call<TakeSnapshotArguments, SnapshotTaken>(
        "take_snapshot", "Copies a database to a new file while it is in use: the way back from a write that cannot be undone."));

inline constexpr const auto& read_query = wire::method<methods, "read_query">;
inline constexpr const auto& get_schema = wire::method<methods, "get_schema">;
inline constexpr const auto& write_query = wire::method<methods, "write_query">;
inline constexpr const auto& apply_preview = wire::method<methods, "apply_preview">;
inline constexpr const auto& undo_writes = wire::method<methods, "undo_writes">;
inline constexpr const auto& take_snapshot = wire::method<methods, "take_snapshot">;

}  // namespace sqlite_tool

}  // namespace parlance::server
