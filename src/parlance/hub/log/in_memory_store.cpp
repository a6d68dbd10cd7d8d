// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/log/in_memory_store.h"

#include <algorithm>

#include "parlance/base/check.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/commit.h"

namespace parlance::hub {

InMemoryStore::InMemoryStore(TextOf text_of) : text_of_(std::move(text_of)) {}
InMemoryStore::~InMemoryStore() = default;

Task<Result<Stored>> InMemoryStore::load() {
  Stored stored{.rules = rules_, .limits = limits_};
  for (const auto& [id, conversation] : conversations_) {
    Conversation row = conversation.unpack();
    row.last_seq = logs_[id].size();
    stored.conversations.emplace_back(row);
  }
  for (const auto& [id, ask] : asks_)
    if (ask.state == AskState::open || ask.state == AskState::orphaned) stored.asks.push_back(ask);
  co_return stored;
}

Task<Result<void>> InMemoryStore::write(CommitPtr change) {
  if (change->conversation) conversations_.insert_or_assign(change->conversation->id, *change->conversation);
  for (const Event& event : change->events) {
    auto& log = logs_[change->events_of];
    PARLANCE_CHECK(event.seq == log.size() + 1, "events without a gap");
    log.push_back(event);
  }
  for (const Attachment& attachment : change->attachments)
    (attachments_[attachment.about.id] = attachment).conversation = change->events_of;
  for (const std::string& id : change->removed_attachments) attachments_.erase(id);
  for (const Ask& ask : change->asks) asks_[ask.id] = ask;
  rules_.insert(rules_.begin(), change->rules.begin(), change->rules.end());
  for (const Rule& used : change->used_rules)
    if (const auto kept = std::ranges::find(rules_, used.id, &Rule::id); kept != rules_.end()) *kept = used;
  for (const SpentOn& row : change->spent) spent_[{row.day, row.conversation}] += row.spent;
  if (change->limits) limits_ = *change->limits;
  for (const std::string& id : change->removed_rules) std::erase_if(rules_, [&](const Rule& rule) { return rule.id == id; });
  co_return Result<void>{};
}

// The n-th event has number n + 1.
Task<Result<std::vector<Event>>> InMemoryStore::events(std::string conversation, std::uint64_t after, std::uint64_t before,
                                                       std::size_t limit) {
  const std::vector<Event>& log = logs_[conversation];
  const std::size_t end = before == 0 ? 0 : std::min<std::size_t>(log.size(), before - 1);
  std::size_t begin = std::min<std::size_t>(after, end);
  if (limit != 0 && end - begin > limit) begin = end - limit;
  const auto at = [&](std::size_t index) { return log.begin() + static_cast<std::ptrdiff_t>(index); };
  co_return std::vector<Event>(at(begin), at(end));
}

Task<Result<std::vector<EventText>>> InMemoryStore::event_texts(std::string conversation, std::uint64_t after,
                                                                std::uint64_t before, std::size_t limit) {
  PARLANCE_CO_TRY(found, co_await events(std::move(conversation), after, before, limit));
  std::vector<EventText> texts;
  for (const Event& event : found) texts.push_back({.seq = event.seq, .event_json = text_of_(event)});
  co_return texts;
}

Task<Result<std::vector<Event>>> InMemoryStore::events_after(std::string conversation, std::uint64_t after, std::uint64_t last,
                                                             std::size_t most_bytes) {
  const std::vector<Event>& log = logs_[conversation];
  std::vector<Event> found;
  std::size_t bytes = 0;
  for (std::size_t at = after; at < log.size() && at < last; ++at) {
    bytes += weight_of(log[at].body);
    if (!found.empty() && bytes > most_bytes) break;
    found.push_back(log[at]);
  }
  co_return found;
}

Task<Result<LogParts>> InMemoryStore::parts_with(std::string /*words*/, std::uint64_t /*before*/, std::size_t /*limit*/) {
  LogParts all;
  for (const auto& [id, log] : logs_)
    if (!log.empty()) all.parts.push_back({.conversation = id, .first = 1, .last = log.size()});
  co_return all;
}

Task<Result<std::optional<Ask>>> InMemoryStore::ask(std::string id) {
  const auto found = asks_.find(id);
  co_return found == asks_.end() ? std::nullopt : std::optional(found->second);
}

Task<Result<std::optional<Attachment>>> InMemoryStore::attachment(std::string id) {
  const auto found = attachments_.find(id);
  co_return found == attachments_.end() ? std::nullopt : std::optional(found->second);
}

Task<Result<void>> InMemoryStore::remove_conversation(std::string id) {
  std::erase_if(attachments_, [&](const auto& entry) { return entry.second.conversation == id; });
  conversations_.erase(id);
  logs_.erase(id);
  std::erase_if(asks_, [&](const auto& entry) { return entry.second.conversation == id; });
  co_return Result<void>{};
}

Task<Result<std::vector<SpentOn>>> InMemoryStore::spent(std::string since) {
  std::vector<SpentOn> found;
  for (auto at = spent_.lower_bound({std::move(since), ""}); at != spent_.end(); ++at)
    found.push_back({.day = at->first.first, .conversation = at->first.second, .spent = at->second});
  co_return found;
}

Task<Result<Spent>> InMemoryStore::spent_in(std::string conversation) {
  Spent sum;
  for (const auto& [day_and_conversation, spent] : spent_)
    if (day_and_conversation.second == conversation) sum += spent;
  co_return sum;
}

}  // namespace parlance::hub
