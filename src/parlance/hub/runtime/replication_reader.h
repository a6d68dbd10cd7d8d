// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: follows a shared store: changes of other hubs, commands for this hub, conversations
// without an owner. Loop thread only.
#pragma once

#include <memory>

#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/runtime/command_executor.h"
#include "parlance/hub/runtime/conversation_runtime.h"
#include "parlance/hub/runtime/publisher.h"
#include "parlance/hub/runtime/replication.h"
#include "parlance/hub/runtime/runner_connections.h"
#include "parlance/hub/runtime/shared_settings.h"
#include "parlance/hub/runtime/takeover.h"

namespace parlance::hub {

class ReplicationReader {
 public:
  ReplicationReader(Core& core, ConversationRuntimes& runtimes, Publisher& publisher, SharedSettings& settings,
                    const RunnerConnections& runners, Replication& replication, Takeover& takeover, CommandExecutor& executor)
      : core_(core),
        runtimes_(runtimes),
        publisher_(publisher),
        settings_(settings),
        runners_(runners),
        replication_(replication),
        takeover_(takeover),
        executor_(executor) {}

  Task<void> follow();  // until the end of the hub
  // Takes over a conversation without a running owner.
  void start_claim(const std::shared_ptr<ConversationRuntime>& runtime) { core_.scope.start(claim_ownerless(runtime)); }

 private:
  // Applies one update in order: settings, runners, rows, events, removals, commands, conversations without an owner. The
  // last group is ignored while the hub is ending.
  Task<void> take_in(ReplicationUpdate update);
  // Takes a conversation over, and removes a conversation of a single program request: its caller died with the owner.
  Task<void> claim_ownerless(std::shared_ptr<ConversationRuntime> runtime);

  Core& core_;
  ConversationRuntimes& runtimes_;
  Publisher& publisher_;
  SharedSettings& settings_;
  const RunnerConnections& runners_;
  Replication& replication_;
  Takeover& takeover_;
  CommandExecutor& executor_;
};

}  // namespace parlance::hub
