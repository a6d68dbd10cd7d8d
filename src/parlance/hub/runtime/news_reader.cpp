// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/news_reader.h"

#include <algorithm>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/log/news.h"

namespace parlance::hub {

Task<void> NewsReader::follow() {
  for (bool failed = false;;) {
    Result<News> news = co_await core_.shared->news();
    if (news) {
      if (std::exchange(failed, false)) publisher_.publish_service({.name = "store", .state = Health::ready});
      co_await take_in(*std::move(news));
      co_await replication_.read_skipped();
      takeover_.release_idle();
      continue;
    }
    if (!std::exchange(failed, true)) {
      log(LogLevel::warn, "other gateways cannot be followed", {{"error", news.error().message}});
      publisher_.publish_service({.name = "store", .state = Health::down, .detail = news.error().message});
    }
    co_await sleep_for(core_.loop, limits::news_retry);
  }
}

Task<void> NewsReader::take_in(News news) {
  if (news.standing) static_cast<void>(co_await settings_.load());  // a failed read is repeated before the next decision
  if (news.places) takeover_.take_places(*std::move(news.places));
  for (SeenConversation& seen : news.changed) co_await replication_.see(std::move(seen));
  for (const News::Longer& longer : news.longer) {
    const auto runtime = runtimes_.find(longer.id);
    if (runtime && runtime->ownership.is_changing()) replication_.read_again(longer.id);
    if (!runtime || !runtime->ownership.is_follower() || longer.last_seq <= runtime->committed.last_seq) continue;
    runtime->current.last_seq = runtime->committed.last_seq = longer.last_seq;
    runtime->followed->reach(longer.last_seq);
  }
  for (const std::string& id : news.removed) {
    const auto runtime = runtimes_.find(id);
    if (runtime && runtime->ownership.is_changing()) replication_.read_again(id);
    else if (runtime && runtime->ownership.is_follower()) publisher_.removed(runtime);
  }
  for (const std::string& id : news.commands)
    if (const auto runtime = runtimes_.find(id); runtime && runtime->ownership.may_write())
      core_.scope.start(executor_.do_commands(runtime));
  if (core_.leaving != Core::Leaving::no) co_return;
  for (const News::Left& left : news.left) {
    const PackedConversation* const packed = runtimes_.idle().find(left.id);
    if (packed != nullptr && !left.has_commands && !packed->start().via) continue;
    const auto runtime = runtimes_.find(left.id);
    if (runtime && runtime->ownership.is_changing()) replication_.read_again(left.id);
    if (!runtime || !runtime->ownership.is_follower()) continue;
    runtime->ownership.apply(Ownership::Event::owner_gone);
    if (places_.is_at_another_hub(*runtime)) continue;
    if (left.has_commands || runtime->has_open_request() || runtime->current.via || !runtime->current.turn.empty())
      take_left(runtime);
  }
}

// Removes a conversation of a single program request: the program died, so no caller waits.
Task<void> NewsReader::claim_left(std::shared_ptr<ConversationRuntime> runtime) {
  const bool ours = co_await takeover_.claim_left(runtime);
  if (ours && runtime->current.via && !runtime->removing) static_cast<void>(co_await executor_.remove(runtime));
}

}  // namespace parlance::hub
