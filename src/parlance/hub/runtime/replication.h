// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: conversations and requests of other hubs, from a shared store. Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/runtime/publisher.h"
#include "parlance/hub/runtime/room.h"
#include "parlance/hub/runtime/runner_places.h"

namespace parlance::hub {

class Replication {
 public:
  using HalfTaken = std::function<void(const std::shared_ptr<Room>& room)>;
  // half_taken: after a failed takeover the row names this hub as its owner, and no other hub can take it.
  Replication(Core& core, Rooms& rooms, Publisher& publisher, const RunnerPlaces& places, HalfTaken half_taken)
      : core_(core), rooms_(rooms), publisher_(publisher), places_(places), half_taken_(std::move(half_taken)) {}

  Task<void> see(SeenConversation now);
  Task<Result<void>> see_anew(std::shared_ptr<Room> room);
  std::vector<std::string> put_seen(Room& room, SeenConversation now);                 // returns the asks that no longer wait
  Task<void> tell_settled(std::shared_ptr<Room> room, std::vector<std::string> asks);  // repeats failed reads later
  // Reads a conversation again: its news were skipped during a change of the owner, or its row is about to change.
  void read_again(const std::string& conversation) { skipped_.insert(conversation); }
  void owner_changed(const std::string& conversation);  // reads skipped news now
  Task<void> read_skipped();  // except conversations with a changing owner; the next news repeat a failed read

 private:
  Core& core_;
  Rooms& rooms_;
  Publisher& publisher_;
  const RunnerPlaces& places_;
  HalfTaken half_taken_;
  std::set<std::string, std::less<>> skipped_;                // conversations with unread news
  std::map<std::string, std::shared_ptr<Room>> unread_asks_;  // settled, with a failed read
  TimePoint next_read_skipped_{};
};

}  // namespace parlance::hub
