// SPDX-License-Identifier: Apache-2.0
// Addresses inside databases: sqlite:///home/ada/notes.db/tables/entries?limit=20&offset=40, and …/health of a whole database.
// Both names are percent-encoded (a '/' in a table's name becomes %2F). The path keeps its slashes, and a folder may have the
// name "tables": the last occurrence counts. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parlance::server {

struct TableUri {
  std::string database{};  // absolute path
  std::string table{};
  std::string limit{};  // unparsed query values; empty: absent
  std::string offset{};
};

inline constexpr std::string_view table_uri_template = "sqlite://{+db_path}/tables/{table}{?limit,offset}";
inline constexpr std::string_view health_uri_template = "sqlite://{+db_path}/health";

std::string table_uri(std::string_view database, std::string_view table);
std::string health_uri(std::string_view database);

// Nothing for an invalid address: another scheme, a host, a relative path, a broken escape, a NUL, invalid UTF-8.
std::optional<TableUri> parse_table_uri(std::string_view uri);
std::optional<std::string> parse_health_uri(std::string_view uri);  // the database

}  // namespace parlance::server
