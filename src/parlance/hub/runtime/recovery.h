// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: unfinished turns of a dead program, conversation by conversation. A turn continues if its agent
// can continue, and ends otherwise. Loop thread only.
#pragma once

#include <memory>
#include <vector>

#include "parlance/hub/conversation/turn_so_far.h"
#include "parlance/hub/runtime/conversation_runtime.h"
#include "parlance/hub/runtime/turn_runner.h"

namespace parlance::hub {

class Recovery {
 public:
  Recovery(const TurnParts& parts, TurnRunner& turns) : parts_(parts), turns_(turns) {}

  Task<Result<void>> recover(std::shared_ptr<ConversationRuntime> runtime);
  bool can_resume(const ConversationRuntime& runtime) const;  // the agent can continue the turn in the next program

 private:
  Task<Result<void>> end_interrupted(ConversationRuntime& runtime);
  bool is_worth_it(const ConversationRuntime& runtime, const TurnSoFar& so_far) const;
  Task<Result<void>> resume_turn(std::shared_ptr<ConversationRuntime> runtime, TurnSoFar so_far);
  Task<Result<std::vector<AskedBefore>>> asked_before(ConversationRuntime& runtime, const TurnSoFar& so_far);

  const TurnParts& parts_;
  TurnRunner& turns_;
};

}  // namespace parlance::hub
