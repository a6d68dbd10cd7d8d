// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: at a reached limit of model use, no turn begins without a person's answer. Loop thread only.
#pragma once

#include <memory>
#include <vector>

#include "parlance/hub/runtime/request_book.h"
#include "parlance/hub/runtime/spending.h"

namespace parlance::hub {

class SpendingGate {
 public:
  SpendingGate(Core& core, const ConversationRuntimes& runtimes, Spending& spending, RequestBook& requests)
      : core_(core), runtimes_(runtimes), spending_(spending), requests_(requests) {}

  // Whether a turn may begin. At a reached limit, the hub asks a person.
  Task<Result<bool>> may_begin(std::shared_ptr<ConversationRuntime> runtime, Prompt& prompt);
  void set_limits(SpendingLimits now);  // then resumes the turns below all limits

 private:
  // The open requests at limits, of all conversations of this hub.
  std::vector<std::shared_ptr<PendingAsk>> held_turns() const;
  // Answers the requests whose conversations are below all limits, as "limit" instead of a person.
  // Turns whose sums cannot be read stay held.
  Task<void> release_held_turns();
  // Waits for the next local day, checking every minute; ends early when no turn is held.
  Task<void> release_held_turns_tomorrow();

  Core& core_;
  const ConversationRuntimes& runtimes_;
  Spending& spending_;
  RequestBook& requests_;
  bool waits_for_tomorrow_ = false;
};

}  // namespace parlance::hub
