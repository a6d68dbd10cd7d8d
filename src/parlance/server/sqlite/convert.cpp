// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/sqlite/convert.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "parlance/base/base64.h"
#include "parlance/base/utf8.h"
#include "parlance/codec/json/reader.h"
#include "parlance/codec/json/writer.h"
#include "parlance/server/sqlite/rows.h"

namespace parlance::server {
namespace {

using sqlite_bridge::Code;

std::unexpected<Error> wrong(std::string what) { return parlance::fail(Errc::invalid_params, "params: " + std::move(what)); }

Result<sqlite::Value> read_number(std::string_view text) {
  const char* const end = text.data() + text.size();
  if (text.find_first_of(".eE") == std::string_view::npos) {
    std::int64_t integer = 0;
    const auto [after, error] = std::from_chars(text.data(), end, integer);
    if (error == std::errc{} && after == end) return sqlite::Value(integer);
  }
  double real = 0;
  const auto [after, error] = std::from_chars(text.data(), end, real);
  if (error == std::errc::result_out_of_range && after == end)
    return wrong("the number " + std::string(text.substr(0, 40)) + " is too large");
  if (error != std::errc{} || after != end) return wrong("a number that cannot be read");
  return sqlite::Value(real);
}

// {"$type":"blob","base64":…} and its like.
Result<sqlite::Value> read_tagged(json::Reader& reader) {
  std::string type;
  std::string value;
  std::string base64;
  bool has_value = false;
  bool has_bytes = false;
  for (bool more = reader.enter_object(); more; more = reader.next_member()) {
    const std::string key(reader.key());
    if (reader.peek() != json::Token::text) reader.skip();
    else if (key == "$type") reader.read_text(type);
    else if (key == "value") has_value = reader.read_text(value);
    else if (key == "base64") has_bytes = reader.read_text(base64);
    else reader.skip();
  }
  if (!reader.ok()) return wrong(reader.fault());
  if (type == "blob" || type == "text") {
    const auto bytes = has_bytes ? from_base64(base64) : std::nullopt;
    if (!bytes) return wrong("\"base64\" of a " + type + " is missing or no base64");
    if (type == "blob") return sqlite::Value(sqlite::Blob{*bytes});
    return sqlite::Value(*bytes);
  }
  if (type == "int" && has_value) {
    std::int64_t integer = 0;
    const char* const end = value.data() + value.size();
    const auto [after, error] = std::from_chars(value.data(), end, integer);
    if (error == std::errc{} && after == end && !value.empty()) return sqlite::Value(integer);
    return wrong("\"" + value.substr(0, 40) + "\" is no integer of 64 bits");
  }
  if (type == "real" && value == "Infinity") return sqlite::Value(std::numeric_limits<double>::infinity());
  if (type == "real" && value == "-Infinity") return sqlite::Value(-std::numeric_limits<double>::infinity());
  return wrong("a value must be null, a boolean, a number, a text, or an object with a known $type");
}

Result<sqlite::Value> read_value(json::Reader& reader) {
  switch (reader.peek()) {
    case json::Token::null: reader.read_null(); return sqlite::Value();
    case json::Token::boolean: {
      bool on = false;
      reader.read_boolean(on);
      return sqlite::Value(std::int64_t{on ? 1 : 0});
    }
    case json::Token::number: return read_number(reader.read_number());
    case json::Token::text: {
      std::string text;
      reader.read_text(text);
      return sqlite::Value(std::move(text));
    }
    case json::Token::object: return read_tagged(reader);
    default: return wrong("a value must be null, a boolean, a number, a text, or an object with a known $type");
  }
}

template <class T>
wire::Nullable<T> nullable(std::optional<T> value) {
  using N = wire::Nullable<T>;
  return value ? N{N::State::value, *std::move(value)} : N{N::State::null, {}};
}

}  // namespace

Result<sqlite::Parameters> to_parameters(std::string_view json) {
  sqlite::Parameters parameters{.given = true};
  json::Reader reader(json);
  if (reader.peek() == json::Token::array) {
    for (bool more = reader.enter_array(); more; more = reader.next_element()) {
      PARLANCE_TRY(value, read_value(reader));
      parameters.in_order.push_back(std::move(value));
    }
  } else if (reader.peek() == json::Token::object) {
    parameters.named = true;
    for (bool more = reader.enter_object(); more; more = reader.next_member()) {
      std::string name(reader.key());
      PARLANCE_TRY(value, read_value(reader));
      parameters.by_name.emplace_back(std::move(name), std::move(value));
    }
  } else {
    return wrong("an array or an object is expected");
  }
  if (!reader.ok()) return wrong(reader.fault());
  return parameters;
}

sqlite::Outcome<sqlite::PageLimits> to_page_limits(std::optional<std::int64_t> limit, std::optional<std::int64_t> offset,
                                                   std::uint64_t max_rows, std::size_t max_bytes) {
  if (limit.value_or(0) < 0 || offset.value_or(0) < 0)
    return sqlite::fail(sqlite::Fault::invalid_request, "limit and offset must be 0 or more");
  const std::uint64_t wanted = limit ? static_cast<std::uint64_t>(*limit) : max_rows;
  return sqlite::PageLimits{
      .limit = std::min(wanted, max_rows), .offset = static_cast<std::uint64_t>(offset.value_or(0)), .bytes = max_bytes};
}

sqlite::Outcome<std::chrono::milliseconds> to_timeout(std::int64_t timeout_ms) {
  constexpr std::int64_t longest = std::int64_t{1} << 40;  // what a clock can add
  if (timeout_ms < 0 || timeout_ms > longest)
    return sqlite::fail(sqlite::Fault::invalid_request, "timeout_ms must be 0 to " + std::to_string(longest));
  return std::chrono::milliseconds(timeout_ms);
}

sqlite_bridge::Failure to_wire(const sqlite::Failure& failure) {
  static constexpr Code codes[]{Code::invalid_request, Code::path_not_allowed, Code::db_open_failed,
                                Code::sql_error,       Code::not_readonly,     Code::invalid_number,
                                Code::timeout,         Code::cancelled,        Code::internal};
  static_assert(std::size(codes) == sqlite::all_faults.size());
  const auto some = [](const std::string& text) { return text.empty() ? std::nullopt : std::optional(to_valid_utf8(text)); };
  return {.code = codes[static_cast<std::size_t>(failure.fault)],
          .error = failure.message,
          .details = {.path = some(failure.path),
                      .column = some(failure.column),
                      .row = failure.row,
                      .value = some(failure.value),
                      .sqlite_code = failure.sqlite_code,
                      .sqlite_extended_code = failure.sqlite_extended_code,
                      .statement = failure.statement,
                      .statements = failure.statements,
                      .offset = failure.offset,
                      .hint = some(failure.hint)}};
}

sqlite_bridge::ColumnInfo to_wire(const sqlite::TableColumn& column) {
  using Generated = sqlite::TableColumn::Generated;
  std::optional<std::string> generated;
  if (column.generated != Generated::no) generated = column.generated == Generated::stored ? "stored" : "virtual";
  return {.name = column.name,
          .type = column.type,
          .decl_type = nullable(column.type.empty() ? std::nullopt : std::optional(column.type)),
          .sqlite_type = nullable<std::string>(std::nullopt),
          .notnull = column.not_null,
          .default_sql = nullable(column.default_sql),
          .pk = column.primary_key,
          .hidden = column.hidden,
          .generated = nullable(generated)};
}

std::vector<sqlite_bridge::ColumnInfo> to_wire(const std::vector<sqlite::TableColumn>& columns) {
  std::vector<sqlite_bridge::ColumnInfo> infos;
  for (const sqlite::TableColumn& column : columns) infos.push_back(to_wire(column));
  return infos;
}

sqlite_bridge::SchemaInfo to_wire(std::string path, const sqlite::Schema& schema) {
  sqlite_bridge::SchemaInfo schema_info{.db_path = std::move(path), .truncated = schema.truncated};
  for (const sqlite::Table& table : schema.tables) {
    sqlite_bridge::TableInfo table_info{.name = table.name,
                                        .kind = table.kind,
                                        .strict = table.strict,
                                        .without_rowid = table.without_rowid,
                                        .sql = table.sql,
                                        .columns = to_wire(table.columns),
                                        .triggers = table.triggers};
    for (const sqlite::TableIndex& index : table.indexes) {
      sqlite_bridge::IndexInfo info{.name = index.name, .unique = index.unique, .origin = index.origin, .partial = index.partial};
      for (const auto& column : index.columns) info.columns.push_back(nullable(column));
      table_info.indexes.push_back(std::move(info));
    }
    for (const sqlite::ForeignKey& key : table.foreign_keys) {
      sqlite_bridge::ForeignKeyInfo info{
          .columns = key.columns, .ref_table = key.table, .on_update = key.on_update, .on_delete = key.on_delete};
      for (const auto& column : key.to_columns) info.ref_columns.push_back(nullable(column));
      table_info.foreign_keys.push_back(std::move(info));
    }
    schema_info.tables.push_back(std::move(table_info));
  }
  for (const sqlite::View& view : schema.views)
    schema_info.views.push_back({.name = view.name,
                                 .sql = view.sql,
                                 .columns = to_wire(view.columns),
                                 .error = view.error.empty() ? std::nullopt : std::optional(view.error)});
  return schema_info;
}

namespace {

wire::Raw object_of(const std::vector<std::pair<std::string, sqlite::Value>>& values) {
  wire::Raw raw{.json = "{"};
  for (const auto& [name, value] : values) {
    if (raw.json.size() > 1) raw.json += ',';
    json::write_text(raw.json, name);
    raw.json += ':';
    raw.json += to_json(value);
  }
  raw.json += '}';
  return raw;
}

sqlite_bridge::RowChange to_wire(const sqlite::RowChange& row) {
  using Kind = sqlite::RowChange::Kind;
  sqlite_bridge::RowChange change{.op = row.kind == Kind::inserted  ? "insert"
                                        : row.kind == Kind::updated ? "update"
                                                                    : "delete",
                                  .key = object_of(row.key)};
  if (row.kind != Kind::inserted) change.before = object_of(row.before);
  if (row.kind != Kind::deleted) change.after = object_of(row.after);
  return change;
}

}  // namespace

sqlite_bridge::Preview to_wire(const sqlite::Preview& preview) {
  sqlite_bridge::Preview result{.id = preview.id.empty() ? std::nullopt : std::optional(preview.id),
                                .changes = preview.would.changes,
                                .complete = preview.missing.empty(),
                                .rows_left_out = preview.rows_left_out};
  for (const sqlite::TableChange& table : preview.tables) {
    sqlite_bridge::TableChange table_change{
        .name = table.name, .inserted = table.inserted, .updated = table.updated, .deleted = table.deleted};
    for (const sqlite::RowChange& row : table.rows) table_change.rows.push_back(to_wire(row));
    result.tables.push_back(std::move(table_change));
  }
  if (!preview.missing.empty()) {
    result.missing = preview.missing;
    result.advice = "take a snapshot first: this write can neither be applied from its preview nor be undone";
  }
  return result;
}

std::string shown_sql(std::string_view sql) {
  static constexpr char digits[] = "0123456789abcdef";
  constexpr std::size_t most = 200;
  std::string shown;
  for (const char c : utf8_prefix(sql, most)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      shown += c;
    } else {
      shown += "\\x";
      shown += digits[byte >> 4];
      shown += digits[byte & 15];
    }
  }
  return shown + (sql.size() > most ? "…" : "");
}

}  // namespace parlance::server
