// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: the owner of each conversation in a shared store. Takes conversations over, releases them, and
// sends commands to other owners. Conversations on runners belong to the hub with the runner's connection. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/runtime/conversation_runtime.h"
#include "parlance/hub/runtime/recovery.h"
#include "parlance/hub/runtime/replication.h"
#include "parlance/hub/runtime/runner_connections.h"
#include "parlance/hub/runtime/turn_runner.h"

namespace parlance::hub {

class Takeover {
 public:
  using Owned = std::function<void(const std::shared_ptr<ConversationRuntime>& runtime)>;
  // owned: the hub has become the owner, and commands of other hubs may wait.
  Takeover(const TurnParts& parts, const ConversationRuntimes& runtimes, Publisher& publisher, TurnRunner& turns,
           Recovery& recovery, RunnerConnections& runners, Replication& replication, Owned owned)
      : parts_(parts),
        runtimes_(runtimes),
        publisher_(publisher),
        turns_(turns),
        recovery_(recovery),
        runners_(runners),
        replication_(replication),
        owned_(std::move(owned)) {}

  // Sends a command to the owner. Absent: this hub owns the conversation now.
  Task<Result<std::optional<Prompted>>> run_at_owner(std::shared_ptr<ConversationRuntime> runtime, Submission from);
  // Takes a conversation without a running owner. True: this hub owns the conversation. For a runner at another hub, the lease
  // returns to the store.
  Task<bool> claim_ownerless(std::shared_ptr<ConversationRuntime> runtime);
  Task<Result<void>> recover_ownerless(
      std::shared_ptr<ConversationRuntime> runtime);  // open parts of a turn without a running owner
  // Starts `release` for conversations without work for limits::released_after. Looks at most every 30 seconds.
  void release_idle();
  // The hub is no longer the owner: closes the agent and follows the conversation.
  Task<void> drop(std::shared_ptr<ConversationRuntime> runtime);
  // Hands the conversation to the hub with the runner. Errors: disconnected (no connection; names the time and the remedy).
  Task<Result<void>> reach_runner(std::shared_ptr<ConversationRuntime> runtime);
  // Applies the reported runners and calls HubSettings::runners_changed. A conversation whose runner is now at another hub goes to
  // this other hub after the end of its turn.
  void apply_runners(std::vector<RunnerConnection> now);

 private:
  Task<Result<bool>> claim(std::shared_ptr<ConversationRuntime> runtime);  // false: another hub is the owner
  // The one task of a claim: applies its result to the ownership and wakes all waiting callers. ConversationRuntime::refused has
  // the error of a failure.
  Task<void> take_over(std::shared_ptr<ConversationRuntime> runtime);
  // Gets the lease, reads the newest row, sums and requests, and recovers an unfinished turn. false: another hub has the lease.
  // After a failed recovery, the log refuses writes.
  Task<Result<bool>> take(std::shared_ptr<ConversationRuntime> runtime);
  // Closes the agent, waits for the last write and returns the lease. Does nothing unless the hub is the owner.
  Task<void> release(std::shared_ptr<ConversationRuntime> runtime);
  // Returns the lease in the store. After a failure, replication reads the row again and repeats the return.
  Task<void> return_lease(const ConversationRuntime& runtime);
  Task<Result<void>> until_settled(std::shared_ptr<ConversationRuntime> runtime,
                                   TimePoint until);                  // deadline_exceeded: the owner is still changing
  void settled(const std::shared_ptr<ConversationRuntime>& runtime);  // after the end of a change of the owner
  // Waits for the end of the turn and the writes, then releases the conversation to the hub with the runner. Ends without an
  // effect if the runner came back or a write failed.
  Task<void> hand_over(std::shared_ptr<ConversationRuntime> runtime);

  const TurnParts& parts_;
  const ConversationRuntimes& runtimes_;
  Publisher& publisher_;
  TurnRunner& turns_;
  Recovery& recovery_;
  RunnerConnections& runners_;
  Replication& replication_;
  Owned owned_;
  TimePoint next_release_{};
};

}  // namespace parlance::hub
