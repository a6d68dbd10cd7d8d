// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: the owner of each conversation in a shared store. Takes conversations over, releases them, and
// sends commands to other owners. Conversations on runners belong to the hub with the runner's connection. Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/room.h"

namespace parlance::hub {

class Takeover {
 public:
  explicit Takeover(Hub::Implementation& hub) : hub_(hub) {}

  // ---- commands
  Task<Result<std::optional<Prompted>>> elsewhere(std::shared_ptr<Room> room, Submission from);  // absent: we own the room now
  Task<void> do_commands(std::shared_ptr<Room> room);                                            // of other hubs
  Task<bool> is_still_wanted(std::string command, std::string conversation);

  // ---- ownership
  Task<void> claim_left(std::shared_ptr<Room> room);            // without a running owner
  Task<Result<void>> recover_left(std::shared_ptr<Room> room);  // open parts of a turn without a running owner
  void release_idle();
  Task<void> drop(std::shared_ptr<Room> room);  // the hub is no longer the owner: closes the agent and follows the conversation

  // ---- runners
  // Hands the conversation to the hub with the runner. Errors: disconnected (no connection; names the time and the remedy).
  Task<Result<void>> reach_place(std::shared_ptr<Room> room);
  Result<void> check_place(const Room& room) const;
  bool is_anothers(const Room& room) const;  // another hub has the connection to the runner, and should own the conversation
  void take_places(std::vector<PlaceAt> now);

  std::map<std::string, PlaceAt, std::less<>> places;          // runners that connected since the start or are in the store
  enum class Leaving { no, soon, now } leaving = Leaving::no;  // other hubs take unowned conversations and perform commands

 private:
  Task<Result<bool>> claim(std::shared_ptr<Room> room);  // false: another hub is the owner
  Task<void> take_over(std::shared_ptr<Room> room);
  Task<Result<bool>> take(std::shared_ptr<Room> room);
  Task<void> release(std::shared_ptr<Room> room);
  Task<Result<void>> until_settled(std::shared_ptr<Room> room,
                                   TimePoint until);  // deadline_exceeded: the owner is still changing
  void settled(const std::shared_ptr<Room>& room);    // after the end of a change of the owner
  Task<void> do_command(std::shared_ptr<Room> room, Submission from);
  bool still_wanted_by(const Room& room, const Submission& from) const;
  void note_place(PlaceAt now);
  Task<void> hand_over(std::shared_ptr<Room> room);

  Hub::Implementation& hub_;
  TimePoint next_release_{};
};

}  // namespace parlance::hub
