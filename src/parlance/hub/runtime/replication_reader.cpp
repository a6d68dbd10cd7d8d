// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/replication_reader.h"

#include <algorithm>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/log/replication_update.h"

namespace parlance::hub {

Task<void> ReplicationReader::follow() {
  for (bool failed = false;;) {
    Result<ReplicationUpdate> update = co_await core_.shared->next_update();
    if (update) {
      if (std::exchange(failed, false)) publisher_.publish_service({.name = "store", .state = Health::ready});
      co_await take_in(*std::move(update));
      co_await replication_.read_skipped();
      takeover_.release_idle();
      continue;
    }
    if (!std::exchange(failed, true)) {
      log(LogLevel::warn, "other gateways cannot be followed", {{"error", update.error().message}});
      publisher_.publish_service({.name = "store", .state = Health::down, .detail = update.error().message});
    }
    co_await sleep_for(core_.loop, limits::replication_retry);
  }
}

Task<void> ReplicationReader::take_in(ReplicationUpdate update) {
  if (update.settings_changed)
    static_cast<void>(co_await settings_.load());  // a failed read is repeated before the next decision
  if (update.runners) takeover_.apply_runners(*std::move(update.runners));
  for (ReplicatedConversation& seen : update.changed) co_await replication_.apply(std::move(seen));
  for (const ReplicationUpdate::NewEvents& appended : update.new_events) {
    const auto runtime = runtimes_.find(appended.id);
    if (runtime && runtime->ownership.is_changing()) replication_.reload_later(appended.id);
    if (!runtime || !runtime->ownership.is_follower() || appended.last_seq <= runtime->committed.last_seq) continue;
    runtime->current.last_seq = runtime->committed.last_seq = appended.last_seq;
    runtime->followed->reach(appended.last_seq);
  }
  for (const std::string& id : update.removed) {
    const auto runtime = runtimes_.find(id);
    if (runtime && runtime->ownership.is_changing()) replication_.reload_later(id);
    else if (runtime && runtime->ownership.is_follower()) publisher_.removed(runtime);
  }
  for (const std::string& id : update.commands)
    if (const auto runtime = runtimes_.find(id); runtime && runtime->ownership.may_write())
      core_.scope.start(executor_.do_commands(runtime));
  if (core_.leaving != Core::Leaving::no) co_return;
  for (const ReplicationUpdate::Ownerless& ownerless : update.ownerless) {
    const PackedConversation* const packed = runtimes_.idle().find(ownerless.id);
    if (packed != nullptr && !ownerless.has_commands && !packed->start().via) continue;
    const auto runtime = runtimes_.find(ownerless.id);
    if (runtime && runtime->ownership.is_changing()) replication_.reload_later(ownerless.id);
    if (!runtime || !runtime->ownership.is_follower()) continue;
    runtime->ownership.apply(Ownership::Event::owner_gone);
    if (runners_.is_at_another_hub(*runtime)) continue;
    if (ownerless.has_commands || runtime->has_open_request() || runtime->current.via || !runtime->current.turn.empty())
      start_claim(runtime);
  }
}

// Removes a conversation of a single program request: the program died, so no caller waits.
Task<void> ReplicationReader::claim_ownerless(std::shared_ptr<ConversationRuntime> runtime) {
  const bool is_owner = co_await takeover_.claim_ownerless(runtime);
  if (is_owner && runtime->current.via && !runtime->removing) static_cast<void>(co_await executor_.remove(runtime));
}

}  // namespace parlance::hub
