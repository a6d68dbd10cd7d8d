// SPDX-License-Identifier: Apache-2.0
// Addresses of what is in databases: sqlite:///home/ada/notes.db/tables/entries?limit=20&offset=40, and …/health of a whole database.
// Both names are percent-encoded (a '/' in a table's name becomes %2F), the path keeps its slashes, and a folder may be called
// "tables": the last one counts. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parlance::server {

struct TableUri {
  std::string database{};  // absolute path
  std::string table{};
  std::string limit{};  // as they stand in the query; empty: not given
  std::string offset{};
};

inline constexpr std::string_view table_uri_template = "sqlite://{+db_path}/tables/{table}{?limit,offset}";
inline constexpr std::string_view health_uri_template = "sqlite://{+db_path}/health";

std::string table_uri(std::string_view database, std::string_view table);
std::string health_uri(std::string_view database);

// Nothing when it is no such address: another scheme, a host, a path that is not absolute, a broken escape, a NUL, no UTF-8.
std::optional<TableUri> parse_table_uri(std::string_view uri);
std::optional<std::string> parse_health_uri(std::string_view uri);  // the database

}  // namespace parlance::server
