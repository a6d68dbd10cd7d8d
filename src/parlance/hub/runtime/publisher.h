// SPDX-License-Identifier: Apache-2.0
// For the .cpp files of the hub only: publishes written changes to followers of a conversation and to watchers of the hub. Loop thread
// only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/runtime/conversation_runtime.h"
#include "parlance/hub/runtime/histories.h"
#include "parlance/hub/runtime/spending.h"
#include "parlance/hub/runtime/watcher.h"

namespace parlance::hub {

class Publisher {
 public:
  Publisher(Core& core, ConversationRuntimes& runtimes, Spending& spending, Histories& histories)
      : core_(core), runtimes_(runtimes), spending_(spending), histories_(histories) {}

  // After each commit of a conversation: passes its events to followers and to the agent's history. Then publishes changed
  // requests, rules and the row, in this order.
  void written(ConversationRuntime& runtime, const CommitPtr& commit);
  void removed(
      const std::shared_ptr<ConversationRuntime>& runtime);  // after the removal from the store: the hub forgets the conversation
  // Publishes the row of a conversation. access_before: users who lose their access need the notice too.
  void publish_row(ConversationRuntime& runtime, std::optional<Access> access_before = {});
  void publish(Change change, std::size_t bytes = 0);  // bytes: weight of the change in a watcher's queue
  void publish_service(ServiceInfo info);              // does nothing if the state is unchanged

  // The last published state of each service, for snapshots.
  const std::vector<ServiceInfo>& services() const { return services_; }
  // Shared with each Watcher; never null.
  const std::shared_ptr<Watchers>& watchers() const { return watchers_; }
  // Events and commits of this hub since its construction, for metrics.
  std::uint64_t events() const { return events_; }
  std::uint64_t commits() const { return commits_; }

 private:
  Core& core_;
  ConversationRuntimes& runtimes_;
  Spending& spending_;
  Histories& histories_;
  std::shared_ptr<Watchers> watchers_ = std::make_shared<Watchers>();
  std::vector<ServiceInfo> services_;
  std::uint64_t events_ = 0;
  std::uint64_t commits_ = 0;
};

}  // namespace parlance::hub
