// SPDX-License-Identifier: Apache-2.0
// Notification of frontends: changes after their write, and snapshots.
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
  stop(room);  // Work without a store would be lost.
}

namespace {

std::string cursor_of(const Conversation& one) { return one.updated_at + " " + one.id; }

bool is_newer(const Conversation& a, const Conversation& b) {
  return std::tie(b.updated_at, b.id) < std::tie(a.updated_at, a.id);
}

bool is_in_list(const Room& room, const Listing& listing) {
  return room.known && room.listed && (!listing.among || listing.among(room.shown));
}

bool is_in_list(const PackedStart& one, const Listing& listing) {
  if (one.via || !listing.among) return !one.via;
  Conversation known{.id = std::string(one.id), .access = one.access};
  if (one.user) known.user.emplace(*one.user);
  return listing.among(known);
}

}  // namespace

Snapshot Hub::snapshot(const Listing& listing) const {
  const Implementation& self = *implementation_;
  Snapshot snapshot{.services = self.services, .rules = self.rules};
  for (const auto& provider : self.providers) snapshot.agents.push_back(provider->info());
  ConversationList newest = list(listing);
  snapshot.older = std::move(newest.older);
  snapshot.conversations = std::move(newest.conversations);
  if (!snapshot.older.empty())
    for (const auto& [id, room] : self.rooms)
      if (is_in_list(*room, listing) && cursor_of(room->shown) < snapshot.older && room->shown.is_active())
        snapshot.conversations.push_back(room->shown);
  for (const auto& [id, ask] : self.asks) snapshot.asks.push_back(ask);
  std::ranges::sort(snapshot.asks,
                    [](const Ask& a, const Ask& b) { return std::tie(a.created_at, a.id) < std::tie(b.created_at, b.id); });
  return snapshot;
}

// Merges the conversations with a room, which are few, into the idle ones. A page of a long list unpacks few conversations.
ConversationList Hub::list(const Listing& listing) const {
  std::vector<const Conversation*> in_rooms;
  for (const auto& [id, room] : implementation_->rooms)
    if (is_in_list(*room, listing) && (listing.before.empty() || cursor_of(room->shown) < listing.before))
      in_rooms.push_back(&room->shown);
  std::ranges::sort(in_rooms, [](const Conversation* a, const Conversation* b) { return is_newer(*a, *b); });
  ConversationList found;
  bool is_full = false;
  const auto add = [&](const Conversation& one) {
    is_full = found.conversations.size() == listing.most;
    if (!is_full) found.conversations.push_back(one);
    return !is_full;
  };
  auto next = in_rooms.begin();
  implementation_->rooms.idle().visit_newest(listing.before, [&](const PackedConversation& packed) {
    if (!is_in_list(packed.start(), listing)) return true;
    const Conversation one = packed.unpack();
    while (next != in_rooms.end() && is_newer(**next, one))
      if (!add(**next++)) return false;
    return add(one);
  });
  while (!is_full && next != in_rooms.end()) add(**next++);
  if (is_full && !found.conversations.empty()) found.older = cursor_of(found.conversations.back());
  return found;
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
  const auto owned =
      static_cast<std::size_t>(std::ranges::count_if(self.rooms, [](const auto& r) { return r.second->ownership.may_write(); }));
  return {.conversations = self.rooms.size(),
          .owned = owned + (self.shared == nullptr ? self.rooms.idle().size() : 0),
          .running_turns = static_cast<std::size_t>(
              std::ranges::count_if(self.rooms, [](const auto& r) { return r.second->turn != nullptr; })),
          .open_asks = self.asks.size(),
          .watchers = self.watchers->count(),
          .events = self.events,
          .commits = self.commits,
          .resyncs = self.watchers->resyncs(),
          .spent_today = self.spending.day == local_day(self.settings.wall_clock()) ? self.spending.today : Spent{}};
}

}  // namespace parlance::hub
