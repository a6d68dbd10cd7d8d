// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: a cache of agents' histories across turns. A turn reads only new events, never the whole log
// again. Loop thread only.
#pragma once

#include <memory>
#include <vector>

#include "parlance/hub/runtime/conversation_runtime.h"

namespace parlance::hub {

class Histories {
 public:
  explicit Histories(const Core& core) : core_(core) {}

  Task<Result<void>> remember(ConversationRuntime& runtime);  // fills ConversationRuntime::history with all written messages
  void evict();                                               // the oldest histories of idle runtimes, above the limits
  void forget(const std::shared_ptr<ConversationRuntime>& runtime);  // another hub may write messages from now on

 private:
  const Core& core_;
  std::vector<std::shared_ptr<ConversationRuntime>> remembered_;  // runtimes with a history, the most recently used at the end
};

}  // namespace parlance::hub
