// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/sqlite/uri.h"

#include "parlance/base/text.h"
#include "parlance/base/uri.h"
#include "parlance/base/utf8.h"

namespace parlance::server {
namespace {

constexpr std::string_view scheme = "sqlite://";
constexpr std::string_view tables = "/tables/";
constexpr std::string_view health = "/health";

std::string encoded_path(std::string_view path) {
  std::string out(scheme);
  bool first = true;
  for (const std::string_view piece : split(path, '/')) {
    if (!first) out += '/';
    out += percent_encode(piece);
    first = false;
  }
  return out;
}

std::optional<std::string> decoded(std::string_view text) {
  auto plain = percent_decode(text);
  if (!plain || plain->empty() || plain->contains('\0') || !is_valid_utf8(*plain)) return std::nullopt;
  return plain;
}

// The part after sqlite:// of an address without a host.
std::optional<std::string_view> path_of(std::string_view uri) {
  if (uri.size() < scheme.size() || !equal_ignoring_case(uri.substr(0, scheme.size()), scheme)) return std::nullopt;
  uri.remove_prefix(scheme.size());
  if (!uri.starts_with('/') || uri.contains('#')) return std::nullopt;
  return uri;
}

}  // namespace

std::string table_uri(std::string_view database, std::string_view table) {
  return encoded_path(database) + std::string(tables) + percent_encode(table);
}

std::string health_uri(std::string_view database) { return encoded_path(database) + std::string(health); }

std::optional<TableUri> parse_table_uri(std::string_view uri) {
  const auto rest = path_of(uri);
  if (!rest) return std::nullopt;
  const std::size_t mark = rest->find('?');
  const std::string_view path = rest->substr(0, mark);
  const std::size_t at = path.rfind(tables);
  if (at == std::string_view::npos || at == 0) return std::nullopt;
  const std::string_view name = path.substr(at + tables.size());
  auto database = decoded(path.substr(0, at));
  auto table = decoded(name);
  if (!database || !table || name.contains('/')) return std::nullopt;
  TableUri found{.database = *std::move(database), .table = *std::move(table)};
  if (mark == std::string_view::npos) return found;
  for (const auto& [key, value] : parse_query(rest->substr(mark + 1)).items) {
    if (key == "limit" && found.limit.empty()) found.limit = value;
    else if (key == "offset" && found.offset.empty()) found.offset = value;
    else return std::nullopt;
  }
  return found;
}

std::optional<std::string> parse_health_uri(std::string_view uri) {
  const auto path = path_of(uri);
  if (!path || !path->ends_with(health) || path->size() == health.size() || path->contains('?')) return std::nullopt;
  return decoded(path->substr(0, path->size() - health.size()));
}

}  // namespace parlance::server
