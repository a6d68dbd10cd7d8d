// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/replication.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/log/replication_update.h"
#include "parlance/hub/runtime/change.h"

namespace parlance::hub {

Task<void> Replication::apply(ReplicatedConversation now) {
  auto runtime = runtimes_.find(now.row.id);
  if (runtime && runtime->ownership.is_changing()) skipped_.insert(now.row.id);
  if (runtime && (!runtime->ownership.is_follower() || now.row.last_seq < runtime->committed.last_seq)) co_return;
  const bool is_new = !runtime;
  if (is_new) runtime = runtimes_.add(now.row, true);
  // A takeover that failed after the claim leaves a row that only this gateway can use.
  const bool is_unfinished = now.is_ours && core_.leaving == Core::Leaving::no;
  std::vector<std::string> no_longer_open = apply_row(*runtime, std::move(now));
  if (is_new) publisher_.publish_row(*runtime);
  co_await publish_settled(runtime, std::move(no_longer_open));
  if (is_unfinished && runtime->ownership.is_follower()) unfinished_takeover_(runtime);
}

// Same order as for own conversations: events, asks, then the row.
std::vector<std::string> Replication::apply_row(ConversationRuntime& runtime, ReplicatedConversation now) {
  now.row.waits_for.reset();
  runtime.ownership.apply(now.has_owner ? Ownership::Event::owner_seen : Ownership::Event::owner_gone);
  runtime.listed = runtime.listed || !now.asks.empty() || !now.row.via;
  const std::uint64_t last_seq = now.row.last_seq;
  runtime.committed.last_seq = last_seq;
  runtime.followed->reach(last_seq);
  std::vector<std::string> settled;
  for (const auto& [id, ask] : runtime.asks)
    if (std::ranges::find(now.asks, id, &Ask::id) == now.asks.end()) settled.push_back(id);
  for (const std::string& id : settled) runtime.asks.erase(id);
  for (Ask& ask : now.asks) {
    const auto known = runtime.asks.find(ask.id);
    if (known != runtime.asks.end() && known->second == ask) continue;
    runtime.asks.insert_or_assign(ask.id, ask);
    publisher_.publish(change::AskChanged{.ask = std::move(ask)});
  }
  const bool changed = runtime.committed != now.row;
  const Access before = runtime.committed.access.value_or(Access::private_);
  runtime.current = runtime.committed = std::move(now.row);
  if (changed) publisher_.publish_row(runtime, before);
  return settled;
}

Task<void> Replication::publish_settled(std::shared_ptr<ConversationRuntime> runtime, std::vector<std::string> settled) {
  for (const std::string& id : settled) {
    auto row = co_await core_.store.ask(id);
    if (runtimes_.find(runtime->current.id) != runtime || runtime->asks.contains(id)) continue;
    if (!row) unread_asks_.insert_or_assign(id, runtime);  // otherwise pages would show the request as open
    else if (*row) publisher_.publish(change::AskChanged{.ask = **std::move(row)});
  }
}

Task<Result<void>> Replication::reload(std::shared_ptr<ConversationRuntime> runtime) {
  PARLANCE_CO_TRY(now, co_await core_.shared->read_conversations({runtime->current.id}));
  if (!runtimes_.find(runtime->current.id)) co_return Result<void>{};  // removed meanwhile: a slow answer must not restore it
  if (!now.empty()) co_await apply(std::move(now.front()));
  else if (runtime->ownership.is_follower()) publisher_.removed(runtime);
  co_return Result<void>{};
}

void Replication::owner_changed(const std::string& conversation) {
  if (!skipped_.contains(conversation)) return;
  next_read_skipped_ = {};
  core_.scope.start(read_skipped());
}

Task<void> Replication::read_skipped() {
  if ((skipped_.empty() && unread_asks_.empty()) || core_.loop.now() < next_read_skipped_) co_return;
  next_read_skipped_ = core_.loop.now() + limits::replication_retry;
  for (const auto& [ask, runtime] : std::exchange(unread_asks_, {})) co_await publish_settled(runtime, {ask});
  std::vector<std::string> ids;
  for (const std::string& id : skipped_) {
    const auto runtime = runtimes_.find(id);
    if (!runtime || !runtime->ownership.is_changing()) ids.push_back(id);
  }
  for (const std::string& id : ids) skipped_.erase(id);
  for (const std::string& id : ids) {
    const auto runtime = runtimes_.find(id);
    if (!runtime || !runtime->ownership.is_follower()) continue;
    if (const auto seen = co_await reload(runtime); !seen) skipped_.insert(id);
  }
}

}  // namespace parlance::hub
