// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/sqlite/request_log.h"

#include <chrono>
#include <cstdio>
#include <string>

#include "parlance/base/log.h"
#include "parlance/base/utf8.h"

namespace parlance::server {
namespace {

// Clients choose ids and names, so both are cut to these lengths.
constexpr std::size_t shown_word_bytes = 64;
constexpr std::size_t shown_path_bytes = 1024;

std::string shown(std::string_view text, std::size_t most) {
  const std::string_view head = utf8_prefix(text, most);
  return std::string(head) + (head.size() < text.size() ? "…" : "");
}

// An id without its quotes, as a person searches for it.
std::string shown_id(std::string_view json) {
  if (json.size() >= 2 && json.front() == '"' && json.back() == '"') json = json.substr(1, json.size() - 2);
  return shown(json, shown_word_bytes);
}

std::string milliseconds(Duration took) {
  char text[32];
  const auto size = std::snprintf(text, sizeof text, "%.3f", std::chrono::duration<double, std::milli>(took).count());
  return {text, static_cast<std::size_t>(size)};
}

}  // namespace

void log_request(const SqliteRequestEntry& request) {
  if (!log_enabled(LogLevel::info)) return;
  const LogField mode{"mode", std::string(request.mode)};
  const LogField id{"id", shown_id(request.id)};
  const LogField command{request.mode == "mcp" ? "method" : "cmd", shown(request.command, shown_word_bytes)};
  const LogField name{"name", shown(request.name, shown_path_bytes)};
  const LogField took{"ms", milliseconds(request.took)};
  const LogField database{"db", shown(request.database, shown_path_bytes)};
  const LogField status{"status", std::string(request.status)};
  if (!request.name.empty()) log(LogLevel::info, "request", {mode, id, command, name, took, database, status});
  else log(LogLevel::info, "request", {mode, id, command, took, database, status});
}

}  // namespace parlance::server
