// SPDX-License-Identifier: Apache-2.0
// A line of the log for each request to sqlite-helper, over NDJSON and over MCP: transport, id, command, duration, database,
// outcome. Never contains statements, parameters or rows. Loop thread.
#pragma once

#include <string_view>

#include "parlance/base/clock.h"

namespace parlance::server {

struct SqliteRequestEntry {
  std::string_view mode{};      // ndjson, mcp
  std::string_view id{};        // as JSON
  std::string_view command{};   // the command, or the method
  std::string_view name{};      // MCP: of the tool or prompt, the URI of the resource
  std::string_view database{};  // "": none
  std::string_view status{};    // ok, or the kind of failure
  Duration took{};
};
void log_request(const SqliteRequestEntry& request);

}  // namespace parlance::server
