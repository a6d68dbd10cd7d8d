// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: conversations and requests of other hubs, read from the news of a shared store. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/room.h"

namespace parlance::hub {

class Replication {
 public:
  explicit Replication(Hub::Implementation& hub) : hub_(hub) {}

  Task<void> follow();  // until the end of the hub
  Task<void> see(SeenConversation now);
  Task<Result<void>> see_anew(std::shared_ptr<Room> room);
  std::vector<std::string> put_seen(Room& room, SeenConversation now);  // returns the asks that no longer wait
  Task<void> tell_settled(std::shared_ptr<Room> room, std::vector<std::string> asks);
  // Reads a conversation again: its news were skipped during a change of the owner, or its row is about to change.
  void read_again(const std::string& conversation) { skipped_.insert(conversation); }
  void owner_changed(const std::string& conversation);  // reads skipped news now

 private:
  Task<void> take_in(News news);
  Task<void> read_skipped();  // except conversations with a changing owner; the next news repeat a failed read

  Hub::Implementation& hub_;
  std::set<std::string, std::less<>> skipped_;  // conversations with unread news
  TimePoint next_read_skipped_{};
};

}  // namespace parlance::hub
