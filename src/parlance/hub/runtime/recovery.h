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

  // Continues the unfinished turn, or ends it and orphans its requests. Called at the start and after a takeover, before any
  // command. Completes before the writes; a continued turn runs on as a task of the hub. Errors: the store's.
  Task<Result<void>> recover(std::shared_ptr<ConversationRuntime> runtime);
  bool can_resume(const ConversationRuntime& runtime) const;  // the agent can continue the turn in the next program

 private:
  // Closes the open parts of the turn, and writes a failure `interrupted` and the end of the turn.
  Task<Result<void>> end_interrupted(ConversationRuntime& runtime);
  // A turn with an open request continues at any age, and other turns within limits::resumed_within of their last event. A turn
  // held by a spending limit ends: the limit asks again.
  bool is_worth_it(const ConversationRuntime& runtime, const TurnSoFar& so_far) const;
  // Restores the turn and its requests, and starts the agent behind the last stored event.
  Task<Result<void>> resume_turn(std::shared_ptr<ConversationRuntime> runtime, TurnSoFar so_far);
  // The requests of calls that have not begun: open ones wait for a person again, settled ones keep their answers for the agent.
  // Cancels all other open requests, because no caller waits for them.
  Task<Result<std::vector<AskedBefore>>> asked_before(ConversationRuntime& runtime, const TurnSoFar& so_far);

  const TurnParts& parts_;
  TurnRunner& turns_;
};

}  // namespace parlance::hub
