// SPDX-License-Identifier: Apache-2.0
// One line of the log for each request that sqlite-helper answers, over NDJSON and over MCP: how it came, its id, what was asked, how
// long it took, which database, how it ended. Statements, parameters and rows are never in it. Loop thread.
#pragma once

#include <string_view>

#include "parlance/base/clock.h"

namespace parlance::server {

struct SqliteRequestTold {
  std::string_view mode{};      // ndjson, mcp
  std::string_view id{};        // as JSON
  std::string_view command{};   // the command, or the method
  std::string_view name{};      // MCP: of the tool or prompt, the URI of the resource
  std::string_view database{};  // "": none
  std::string_view status{};    // ok, or what kind of failure
  Duration took{};
};
void log_request(const SqliteRequestTold& request);

}  // namespace parlance::server
