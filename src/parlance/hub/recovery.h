// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: unfinished turns of a dead program, conversation by conversation. A turn continues if its agent
// can continue, and ends otherwise. Loop thread only.
#pragma once

#include <memory>
#include <vector>

#include "parlance/hub/conversation/turn_so_far.h"
#include "parlance/hub/room.h"

namespace parlance::hub {

class Recovery {
 public:
  explicit Recovery(Hub::Implementation& hub) : hub_(hub) {}

  Task<Result<void>> recover(std::shared_ptr<Room> room);
  bool can_take_up(const Room& room) const;  // the agent can continue the turn in the next program

 private:
  Task<Result<void>> end_interrupted(Room& room);
  bool is_worth_it(const Room& room, const TurnSoFar& so_far) const;
  Task<Result<void>> take_up(std::shared_ptr<Room> room, TurnSoFar so_far);
  Task<Result<std::vector<AskedBefore>>> asked_before(Room& room, const TurnSoFar& so_far);

  Hub::Implementation& hub_;
};

event::Failure cut_off_failure();  // of a turn whose program ended during the turn

}  // namespace parlance::hub
