// SPDX-License-Identifier: Apache-2.0
// The subscriptions of one page: the hub with its caller's permissions, and its open conversations. Events wait in the hub, bounded
// and shared by all pages, until the page's socket is writable. Then this class gathers them in send order. Loop thread only; the
// hub must outlive the object.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "parlance/async/channel.h"
#include "parlance/hub/follower.h"
#include "parlance/hub/user_hub.h"

namespace parlance::face {

// An event of an open conversation.
struct PageEvent {
  std::shared_ptr<const std::string> conversation;  // the same object for one opening
  hub::EventPtr event;
};
using PagePiece = std::variant<hub::ChangePtr, PageEvent>;

class PageFollowing {
 public:
  PageFollowing(Loop& loop, hub::UserHub hub);
  ~PageFollowing();

  // The newest events after the cursor, at most `limit`. Gathering of later events begins after the return. A repeated open
  // restarts, and the running task answers `cancelled`. The object must outlive the task.
  Task<Result<hub::EventTextPage>> open(std::string conversation, std::uint64_t after, std::size_t limit);
  void close(std::string_view conversation);

  // Waits for a change, then takes `most_bytes` of text or one event from each conversation, and all changes of the hub. One caller
  // at a time.
  Task<void> gather(std::size_t most_bytes);
  std::vector<PagePiece> pending;  // gathered, not sent yet
  // The hub's changes exceeded the page's limit: drop `pending`, and send a new snapshot.
  bool lost() const;
  void forget();  // closes all conversations too

 private:
  struct Opened;
  bool anything() const;
  Task<void> gather_events(std::shared_ptr<Opened> opened, std::size_t most_bytes);

  hub::UserHub hub_;
  Signal changed_;
  std::unique_ptr<hub::Watcher> watcher_;
  std::vector<std::shared_ptr<Opened>> opened_;
};

}  // namespace parlance::face
