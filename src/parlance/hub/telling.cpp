// SPDX-License-Identifier: Apache-2.0
// What faces hear of: changes once they are in the store, and how everything stands.
#include <algorithm>
#include <tuple>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/running_turn.h"

namespace parlance::hub {

void Hub::Implementation::told(Room& room, const CommitPtr& commit) {
  const Commit& written = *commit;
  ++commits;
  events += written.events.size();
  if (!written.events.empty()) {
    room.shown.last_seq = written.events.back().seq;
    std::size_t bytes = 0;
    for (const Event& event : written.events) bytes += weight_of(event.body);
    room.live.last_seq = room.shown.last_seq;
    room.followed->tell(commit, bytes);
    if (room.history)
      for (const Event& event : written.events) room.history->add(event);
  }
  room.listed = room.listed || !written.asks.empty();
  for (const Ask& ask : written.asks) {
    if (ask.state == AskState::open || ask.state == AskState::orphaned) asks.insert_or_assign(ask.id, ask);
    else asks.erase(ask.id);
    tell(change::AskChanged{.ask = ask},
         ask.diff ? ask.diff->before.value_or("").size() + ask.diff->after.value_or("").size() : 0);
  }
  for (const Rule& rule : written.rules) {
    rules.insert(rules.begin(), rule);
    tell(change::RuleAdded{.rule = rule});
  }
  for (const Rule& used : written.used_rules)
    if (std::ranges::find(rules, used.id, &Rule::id) != rules.end()) tell(change::RuleAdded{.rule = used});
  if (written.conversation) {
    const std::uint64_t last = room.shown.last_seq;
    const Access before = room.shown.access.value_or(Access::private_);
    room.shown = *written.conversation;
    room.shown.last_seq = last;
    room.known = true;
    tell_row(room, before);
  }
}

void Hub::Implementation::tell_row(Room& room, std::optional<Access> access_before) {
  if (watchers->empty() && !room.followed->has_listeners()) return;
  if (access_before == room.shown.access.value_or(Access::private_)) access_before.reset();
  const auto change =
      std::make_shared<const Change>(change::ConversationChanged{.conversation = room.shown, .access_before = access_before});
  if (room.listed) watchers->tell(change);
  room.followed->tell({change, &std::get<change::ConversationChanged>(*change).conversation});
}

void Hub::Implementation::tell(Change change, std::size_t bytes) {
  if (!watchers->empty()) watchers->tell(std::make_shared<const Change>(std::move(change)), bytes);
}

void Hub::Implementation::store_health(Room& room, const Error* error) {
  if (error != nullptr && is_not_owner(*error)) {
    scope.start(drop(find_room(room.live.id)));
    return;
  }
  const bool failed = error != nullptr;
  const bool is_new = std::exchange(store_failed, failed) != failed;
  if (!failed) {
    if (is_new) log(LogLevel::warn, "the store works again");
    return hub.service_changed({.name = "store", .state = Health::ready});
  }
  if (is_new) log(LogLevel::error, "the store failed", {{"conversation", room.live.id}, {"error", error->message}});
  hub.service_changed({.name = "store", .state = Health::down, .detail = error->message});
  stop(room);  // Nothing that cannot be kept is worth doing.
}

Snapshot Hub::snapshot() const {
  const Implementation& self = *implementation_;
  Snapshot snapshot{.services = self.services, .rules = self.rules};
  for (const auto& provider : self.providers) snapshot.agents.push_back(provider->info());
  for (const auto& [id, room] : self.rooms)
    if (room->known && room->listed) snapshot.conversations.push_back(room->shown);
  std::ranges::sort(snapshot.conversations, [](const Conversation& a, const Conversation& b) {
    return std::tie(b.updated_at, b.id) < std::tie(a.updated_at, a.id);
  });
  for (const auto& [id, ask] : self.asks) snapshot.asks.push_back(ask);
  std::ranges::sort(snapshot.asks,
                    [](const Ask& a, const Ask& b) { return std::tie(a.created_at, a.id) < std::tie(b.created_at, b.id); });
  return snapshot;
}

const std::vector<ServiceInfo>& Hub::services() const { return implementation_->services; }

std::unique_ptr<Watcher> Hub::watch(Signal* wake, Sieve sieve) {
  return std::make_unique<Watcher>(implementation_->watchers, implementation_->loop, wake, std::move(sieve));
}

std::shared_ptr<Followed> Hub::followed(std::string_view conversation) const {
  const auto room = implementation_->find_room(conversation);
  return room ? room->followed : nullptr;
}

Hub::Statistics Hub::statistics() const {
  const Implementation& self = *implementation_;
  return {.conversations = self.rooms.size(),
          .owned = static_cast<std::size_t>(std::ranges::count_if(self.rooms, [](const auto& r) { return r.second->owned; })),
          .running_turns = static_cast<std::size_t>(
              std::ranges::count_if(self.rooms, [](const auto& r) { return r.second->turn != nullptr; })),
          .open_asks = self.asks.size(),
          .watchers = self.watchers->count(),
          .events = self.events,
          .commits = self.commits,
          .resyncs = self.watchers->resyncs()};
}

}  // namespace parlance::hub
