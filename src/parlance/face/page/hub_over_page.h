// SPDX-License-Identifier: Apache-2.0
// The hub for pages: each WebSocket gets a snapshot when it says `ready`, then every change as a delta, and may ask for what
// protocol/page/messages.h lists, each the hub as its caller may use it. Loop thread only; hub and loop outlive the server.
//
// Changes of limits::page_batch_time leave in one message, or in several where they are long, so that no page's megabytes hold up the
// others. While a page does not read, nothing is taken for it from the hub (page_following.h): the events of its conversations lie in the
// store and are read from there when it reads again, however many they are; of all else, which is bounded, the page gets a new snapshot
// when it missed too much, and opens its conversations again from where it was. A page that is idle costs its socket, one small read
// buffer and two coroutines that wait.
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
  PagePush push{};  // outlives the server
};

class PageServer {
 public:
  // `memory` may be null: then its requests fail. It outlives the server.
  PageServer(Loop& loop, PageSettings settings, agent::AgentBackend* memory = nullptr);
  ~PageServer();

  void serve(std::unique_ptr<Frames> frames, hub::UserHub hub);  // Returns at once; the page is served until its end.

  struct Statistics {
    std::size_t pages = 0;  // now
    std::uint64_t requests = 0;
    std::uint64_t malformed = 0;
    std::uint64_t snapshots = 0;
    std::uint64_t deltas = 0;
  };
  Statistics statistics() const { return statistics_; }

  // The user has a page open, in the foreground or not.
  bool has_page(const std::string& user) const { return open_.contains(user); }
  // That user sees one of the pages and has the keyboard there.
  bool looked_at(const std::string& user) const { return looking_.contains(user); }

 private:
  class Connection;
  Task<void> run(std::unique_ptr<Frames> frames, hub::UserHub hub);
  Task<void> my_turn();  // waits while other pages have written enough in this turn of the loop

  Loop& loop_;
  PageSettings settings_;
  PageAnswers answers_;
  PageTexts texts_;
  Statistics statistics_;
  std::multiset<std::string> open_;     // users, a page each
  std::multiset<std::string> looking_;  // users, a page each
  TimePoint turn_{};                    // the turn of the loop of which
  std::size_t turn_bytes_ = 0;          // … so much has been written
  Scope scope_;                         // the connections; last, so that they go first
};

}  // namespace parlance::face
