// SPDX-License-Identifier: Apache-2.0
// The agent's memory and counters over HTTP: GET /memory/search, GET /memory/get, POST /memory/store, GET /storage/stats, with
// the names of deployed clients, and GET /memory/list and DELETE /memory/forget. `user`: the caller's id, which selects the
// memory. Loop thread only; the backend must outlive the object.
#pragma once

#include <string>

#include "parlance/agent/backend.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::face {

class MemoryOverHttp {
 public:
  explicit MemoryOverHttp(agent::AgentBackend& backend) : backend_(backend) {}
  Task<void> search(HttpExchange& exchange, std::string user);  // ?query&category&limit&minScore
  Task<void> get(HttpExchange& exchange, std::string user);     // ?path
  Task<void> store(HttpExchange& exchange, std::string user);   // {text, category, importance}
  Task<void> list(HttpExchange& exchange, std::string user);    // ?category&conversation&before&limit
  Task<void> forget(HttpExchange& exchange, std::string user);  // ?path
  Task<void> stats(HttpExchange& exchange, std::string user);   // {"status":"ok","stats":{…}}

 private:
  agent::AgentBackend& backend_;
};

}  // namespace parlance::face
