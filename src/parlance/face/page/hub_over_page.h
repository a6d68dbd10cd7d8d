// SPDX-License-Identifier: Apache-2.0
// Serves the hub to pages. Each WebSocket gets a snapshot after `ready`, then every change as a delta, and may send the requests
// of protocol/page/messages.h, with its caller's permissions. Loop thread only; hub and loop must outlive the server.
//
// Changes of limits::page_batch_time leave in one message, or in several for many bytes, so that a large page does not delay
// others. While a page does not read, the server takes no data from the hub for it (following.h). Its events stay in the store in
// any number until it reads again. Other changes are bounded: after a loss the page gets a new snapshot, and reopens its
// conversations at its position. An idle page costs its socket, one small read buffer and two waiting coroutines.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "parlance/agent/backend.h"
#include "parlance/async/scope.h"
#include "parlance/face/page/answers.h"
#include "parlance/face/page/limits.h"
#include "parlance/face/page/texts.h"
#include "parlance/hub/user_hub.h"
#include "parlance/transport/frames.h"

namespace parlance::face {

struct PageSettings {
  std::string version{};
  std::vector<std::string> capabilities{};
  std::string home{};
  std::string default_folder{};
  std::size_t running_requests = limits::page_requests;
  PagePush::Settings push{};  // must outlive the server
  McpPort* mcp = nullptr;     // must outlive the server
  PageModels::Settings models{};
  AgentSetups setups{};
};

class PageServer {
 public:
  // `memory` may be null: its requests fail then. Must outlive the server.
  PageServer(Loop& loop, PageSettings settings, agent::AgentBackend* memory = nullptr);
  ~PageServer();

  void serve(std::unique_ptr<Frames> frames, hub::UserHub hub);  // Returns at once; serves the page until its end.

  struct Statistics {
    std::size_t pages = 0;  // now
    std::uint64_t requests = 0;
    std::uint64_t malformed = 0;
    std::uint64_t snapshots = 0;
    std::uint64_t deltas = 0;
  };
  Statistics statistics() const { return statistics_; }

  // The user has an open page, in the foreground or not.
  bool has_page(const std::string& user) const { return open_.contains(user); }
  // The user's page is visible and has the keyboard focus.
  bool is_page_visible(const std::string& user) const { return looking_.contains(user); }

 private:
  class Connection;
  Task<void> run(std::unique_ptr<Frames> frames, hub::UserHub hub);
  Task<void> my_turn();  // waits while other pages have used this turn of the loop

  Loop& loop_;
  PageSettings settings_;
  PageAnswers answers_;
  PageTexts texts_;
  Statistics statistics_;
  std::multiset<std::string> open_;     // users, one entry per page
  std::multiset<std::string> looking_;  // users, one entry per page
  TimePoint turn_{};                    // the current turn of the loop,
  std::size_t turn_bytes_ = 0;          // … and its written bytes
  Scope scope_;                         // the connections; last member, so destroyed first
};

}  // namespace parlance::face
