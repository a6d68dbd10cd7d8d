// SPDX-License-Identifier: Apache-2.0
// What one page follows: the hub as its caller sees it, and the conversations that it has opened. What is new waits in the hub, which shares it among
// all pages and knows its bounds, until the page's socket has room; then it is gathered here in the order in which it is sent. Loop thread
// only; the hub outlives it.
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

// One event of a conversation that the page has opened.
struct PageEvent {
  std::shared_ptr<const std::string> conversation;  // the same object for all of one opening
  hub::EventPtr event;
};
using PagePiece = std::variant<hub::ChangePtr, PageEvent>;

class PageFollowing {
 public:
  PageFollowing(Loop& loop, hub::UserHub hub);
  ~PageFollowing();

  // At most the newest `limit` events after the cursor; those above last_seq are gathered as soon as this has returned, never before. Opening
  // again begins anew, and the task that was under way answers `cancelled`. (The object must outlive the task.)
  Task<Result<hub::EventPage>> open(std::string conversation, std::uint64_t after, std::size_t limit);
  void close(std::string_view conversation);

  // Waits for something new, and takes of each conversation so much text or one event, and all changes of the hub. One caller at a time.
  Task<void> gather(std::size_t most_bytes);
  std::vector<PagePiece> pending;  // gathered, not sent yet
  // The hub's changes were more than waits for one page: `pending` is to be forgotten, and the page begins anew with a snapshot.
  bool lost() const;
  void forget();  // closes all conversations as well

 private:
  struct Opened;
  bool anything() const;
  Task<void> gather_events(std::shared_ptr<Opened> opened, std::size_t most_bytes);

  Loop& loop_;
  hub::UserHub hub_;
  Signal news_;
  std::unique_ptr<hub::Watcher> watcher_;
  std::vector<std::shared_ptr<Opened>> opened_;
};

}  // namespace parlance::face
