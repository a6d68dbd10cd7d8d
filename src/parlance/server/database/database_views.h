// SPDX-License-Identifier: Apache-2.0
// Databases for pages: a list to choose from, and a connection for each that is looked at. Behind each connection stands one sqlite-helper
// of its own, with that database alone, read only unless the person wants to edit; it ends with the connection, and is reaped. Its lines pass both ways
// as they are; who does not read makes the other wait. Loop thread only; the loop outlives it.
//
// Who may is the gateway's to say, before a handler here is called.
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
  std::vector<std::string> helper{};  // the program and its first words; empty: there is none
  std::vector<std::string> named{};   // databases that the settings name
  std::string own_folder{};           // parlance's own state, which is only read
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
  Scope scope_;  // the connections; last, so that they go first
};

}  // namespace parlance::server
