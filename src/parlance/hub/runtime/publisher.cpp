// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/publisher.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/runtime/change.h"

namespace parlance::hub {

void Publisher::written(ConversationRuntime& runtime, const CommitPtr& commit) {
  const Commit& batch = *commit;
  ++commits_;
  events_ += batch.events.size();
  if (!batch.events.empty()) {
    runtime.committed.last_seq = batch.events.back().seq;
    std::size_t bytes = 0;
    for (const Event& event : batch.events) bytes += weight_of(event.body);
    runtime.current.last_seq = runtime.committed.last_seq;
    runtime.followed->publish(commit, bytes);
    if (runtime.history)
      for (const Event& event : batch.events) runtime.history->add(event);
  }
  runtime.listed = runtime.listed || !batch.asks.empty();
  for (const Ask& ask : batch.asks) {
    if (ask.state == AskState::open || ask.state == AskState::orphaned) runtime.asks.insert_or_assign(ask.id, ask);
    else runtime.asks.erase(ask.id);
    publish(change::AskChanged{.ask = ask},
            ask.diff ? ask.diff->before.value_or("").size() + ask.diff->after.value_or("").size() : 0);
  }
  for (const Rule& rule : batch.rules) {
    core_.rules.insert(core_.rules.begin(), rule);
    core_.rules_outdated = true;
    publish(change::RuleAdded{.rule = rule});
  }
  for (const Rule& used : batch.used_rules)
    if (std::ranges::find(core_.rules, used.id, &Rule::id) != core_.rules.end()) publish(change::RuleAdded{.rule = used});
  if (batch.conversation) {
    const std::uint64_t last = runtime.committed.last_seq;
    const Access before = runtime.committed.access.value_or(Access::private_);
    runtime.committed = *batch.conversation;
    runtime.committed.last_seq = last;
    runtime.listed = runtime.listed || !runtime.committed.via;  // after an adoption
    runtime.known = true;
    publish_row(runtime, before);
  }
}

void Publisher::publish_row(ConversationRuntime& runtime, std::optional<Access> access_before) {
  if (watchers_->empty() && !runtime.followed->has_listeners()) return;
  if (access_before == runtime.committed.access.value_or(Access::private_)) access_before.reset();
  const auto row = std::make_shared<const Conversation>(runtime.committed);
  if (runtime.listed) publish(change::ConversationChanged{.conversation = row, .access_before = access_before});
  runtime.followed->publish(row);
}

void Publisher::publish(Change change, std::size_t bytes) {
  if (!watchers_->empty()) watchers_->publish(std::make_shared<const Change>(std::move(change)), bytes);
}

void Publisher::publish_service(ServiceInfo info) {
  const auto known = std::ranges::find(services_, info.name, &ServiceInfo::name);
  if (known == services_.end()) services_.push_back(info);
  else if (*known == info) return;
  else *known = info;
  publish(change::ServiceChanged{.service = std::move(info)});
}

void Publisher::removed(const std::shared_ptr<ConversationRuntime>& runtime) {
  const std::string id = runtime->current.id;
  if (!runtimes_.erase(id)) return;
  spending_.forget(id);
  runtime->followed->end();
  histories_.forget(runtime);
  runtime->asks.clear();
  for (const Rule& rule : core_.rules)
    if (rule.conversation == id) publish(change::RuleRemoved{.id = rule.id, .user = rule.user});
  std::erase_if(core_.rules, [&](const Rule& rule) { return rule.conversation == id; });
  if (runtime->listed)
    publish(
        change::ConversationRemoved{.id = id,
                                    .last = std::make_shared<const Conversation>(Conversation{
                                        {.id = id, .user = runtime->committed.user}, {.access = runtime->committed.access}})});
}

}  // namespace parlance::hub
