// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub/hub_memory.h"

#include <algorithm>

#include "parlance/hub/log/commit.h"
#include "parlance/wire_form/event_tables.h"

namespace parlance::store {

Task<Result<hub::Stored>> HubMemory::load() {
  hub::Stored stored{.rules = rules_, .limits = limits_};
  for (const auto& [id, conversation] : conversations_) stored.conversations.push_back(conversation);
  for (const auto& [id, ask] : asks_)
    if (ask.state == hub::AskState::open || ask.state == hub::AskState::orphaned) stored.asks.push_back(ask);
  co_return stored;
}

Task<Result<void>> HubMemory::write(hub::CommitPtr change) {
  if (change->conversation) conversations_[change->conversation->id] = *change->conversation;
  auto& log = events_[change->events_of];
  log.insert(log.end(), change->events.begin(), change->events.end());
  for (const hub::Attachment& one : change->attachments)
    attachments_[one.about.id] = {.conversation = change->events_of, .attachment = one};
  for (const std::string& id : change->removed_attachments) attachments_.erase(id);
  for (const hub::Ask& ask : change->asks) asks_[ask.id] = ask;
  rules_.insert(rules_.begin(), change->rules.begin(), change->rules.end());
  for (const hub::Rule& used : change->used_rules)
    if (const auto kept = std::ranges::find(rules_, used.id, &hub::Rule::id); kept != rules_.end()) *kept = used;
  for (const hub::SpentOn& one : change->spent) spent_[{one.day, one.conversation}] += one.spent;
  if (change->limits) limits_ = *change->limits;
  for (const std::string& id : change->removed_rules) std::erase_if(rules_, [&](const hub::Rule& rule) { return rule.id == id; });
  co_return Result<void>{};
}

Task<Result<std::vector<hub::Event>>> HubMemory::events(std::string conversation, std::uint64_t after, std::uint64_t before,
                                                        std::size_t limit) {
  std::vector<hub::Event> found;
  for (const hub::Event& event : events_[conversation])
    if (event.seq > after && event.seq < before) found.push_back(event);
  if (limit != 0 && found.size() > limit) found.erase(found.begin(), found.end() - static_cast<std::ptrdiff_t>(limit));
  co_return found;
}

Task<Result<std::vector<hub::EventText>>> HubMemory::event_texts(std::string conversation, std::uint64_t after,
                                                                 std::uint64_t before, std::size_t limit) {
  PARLANCE_CO_TRY(found, co_await events(std::move(conversation), after, before, limit));
  std::vector<hub::EventText> texts;
  for (const hub::Event& event : found) texts.push_back({.seq = event.seq, .event_json = wire_form::event_json(event)});
  co_return texts;
}

// The n-th event has number n + 1.
Task<Result<std::vector<hub::Event>>> HubMemory::events_after(std::string conversation, std::uint64_t after, std::uint64_t last,
                                                              std::size_t most_bytes) {
  const std::vector<hub::Event>& log = events_[conversation];
  std::vector<hub::Event> found;
  std::size_t bytes = 0;
  for (std::size_t at = after; at < log.size() && at < last; ++at) {
    bytes += hub::weight_of(log[at].body);
    if (!found.empty() && bytes > most_bytes) break;
    found.push_back(log[at]);
  }
  co_return found;
}

Task<Result<hub::LogParts>> HubMemory::parts_with(std::string /*words*/, std::uint64_t /*before*/, std::size_t /*limit*/) {
  hub::LogParts all;
  for (const auto& [id, log] : events_)
    if (!log.empty()) all.parts.push_back({.conversation = id, .first = 1, .last = log.size()});
  co_return all;
}

Task<Result<std::optional<hub::Ask>>> HubMemory::ask(std::string id) {
  const auto found = asks_.find(id);
  co_return found == asks_.end() ? std::nullopt : std::optional(found->second);
}

Task<Result<std::optional<hub::Attachment>>> HubMemory::attachment(std::string id) {
  const auto found = attachments_.find(id);
  if (found == attachments_.end()) co_return std::nullopt;
  hub::Attachment attachment = found->second.attachment;
  attachment.conversation = found->second.conversation;
  co_return attachment;
}

Task<Result<void>> HubMemory::remove_conversation(std::string id) {
  std::erase_if(attachments_, [&](const auto& entry) { return entry.second.conversation == id; });
  conversations_.erase(id);
  events_.erase(id);
  std::erase_if(asks_, [&](const auto& entry) { return entry.second.conversation == id; });
  co_return Result<void>{};
}

Task<Result<std::vector<hub::SpentOn>>> HubMemory::spent(std::string since) {
  std::vector<hub::SpentOn> found;
  for (auto at = spent_.lower_bound({std::move(since), ""}); at != spent_.end(); ++at)
    found.push_back({.day = at->first.first, .conversation = at->first.second, .spent = at->second});
  co_return found;
}

Task<Result<hub::StoreCounts>> HubMemory::counts() { co_return hub::StoreCounts{.conversations = conversations_.size()}; }

}  // namespace parlance::store
