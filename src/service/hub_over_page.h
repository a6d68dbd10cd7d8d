// The hub for pages: each WebSocket gets a snapshot when it says `ready`, then every change as a delta, and may ask for what
// protocol/page/messages.h lists. Loop thread only; hub and loop outlive the server.
//
// Changes of limits::page_batch_time leave in one message, or in several where they are long, so that no page's megabytes hold up the
// others. While a page does not read, its changes wait in its watcher, which is bounded and shares them with other watchers; when
// that overflows, the page gets a new snapshot instead of what it missed, and opens its conversations again from where it was. A
// page that is idle costs its socket, one small read buffer and two coroutines that wait.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "async/scope.h"
#include "base/limits.h"
#include "hub/hub.h"
#include "service/chat_backend.h"
#include "service/folder_check.h"
#include "service/page_texts.h"
#include "transport/frames.h"

namespace parlance::service {

struct PageSettings {
  std::string version{};
  std::vector<std::string> capabilities{};
  std::string home{};
  std::string default_folder{};
  std::size_t running_requests = limits::page_requests;
};

class PageServer {
 public:
  // `memory` may be null: then its requests fail. It outlives the server.
  PageServer(Loop& loop, hub::Hub& hub, PageSettings settings, AgentBackend* memory = nullptr);
  ~PageServer();

  void serve(std::unique_ptr<Frames> frames);  // Returns at once; the page is served until its end.

  struct Statistics {
    std::size_t pages = 0;  // now
    std::uint64_t requests = 0;
    std::uint64_t malformed = 0;
    std::uint64_t snapshots = 0;
    std::uint64_t deltas = 0;
  };
  Statistics statistics() const { return statistics_; }

 private:
  class Connection;
  Task<void> run(std::unique_ptr<Frames> frames);
  Task<void> my_turn();  // waits while other pages have written enough in this turn of the loop

  Loop& loop_;
  hub::Hub& hub_;
  AgentBackend* memory_;
  PageSettings settings_;
  FolderCheck folders_;
  PageTexts texts_;
  Statistics statistics_;
  TimePoint turn_{};            // the turn of the loop of which
  std::size_t turn_bytes_ = 0;  // … so much has been written
  Scope scope_;                 // the connections; last, so that they go first
};

}  // namespace parlance::service
