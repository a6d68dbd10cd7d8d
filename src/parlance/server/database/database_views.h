// SPDX-License-Identifier: Apache-2.0
// Databases for pages: a list of offered databases, and a connection for each view. Each connection has its own sqlite-helper
// with only this database, read only unless the person enables editing. The helper ends with the connection, and is reaped. Lines
// pass unchanged in both directions; a slow reader slows the sender. Loop thread only; the loop outlives this object.
//
// The gateway checks permissions before a call of these handlers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/scope.h"
#include "parlance/async/worker.h"
#include "parlance/server/database/databases.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::server {

struct DatabaseViewsSettings {
  std::vector<std::string> helper{};  // the program and its first arguments; empty: unavailable
  std::vector<std::string> named{};   // databases of the settings
  std::string own_folder{};           // parlance's own state, read only
};

class DatabaseViews {
 public:
  DatabaseViews(Loop& loop, DatabaseViewsSettings settings);
  ~DatabaseViews();

  // GET. `folders`: of conversations, the latest first.
  Task<void> list(HttpExchange& exchange, std::vector<std::string> folders);
  Task<void> open(HttpExchange& exchange, OwnFolder own);  // WebSocket, ?path&edit=1

  std::size_t open_views() const { return views_; }
  bool available() const { return !settings_.helper.empty(); }

 private:
  class View;
  Task<void> serve(std::unique_ptr<WebSocketFrames> page, std::string asked, bool edit, OwnFolder own);

  Loop& loop_;
  DatabaseViewsSettings settings_;
  std::size_t views_ = 0;
  Worker worker_;
  Scope scope_;  // the connections; declared last, so destroyed first
};

}  // namespace parlance::server
