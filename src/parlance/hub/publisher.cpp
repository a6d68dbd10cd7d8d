// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/publisher.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/hub/implementation.h"

namespace parlance::hub {

void Publisher::told(Room& room, const CommitPtr& commit) {
  const Commit& written = *commit;
  ++commits_;
  events_ += written.events.size();
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
    if (ask.state == AskState::open || ask.state == AskState::orphaned) hub_.requests.asks.insert_or_assign(ask.id, ask);
    else hub_.requests.asks.erase(ask.id);
    tell(change::AskChanged{.ask = ask},
         ask.diff ? ask.diff->before.value_or("").size() + ask.diff->after.value_or("").size() : 0);
  }
  for (const Rule& rule : written.rules) {
    hub_.shared_settings.rules.insert(hub_.shared_settings.rules.begin(), rule);
    tell(change::RuleAdded{.rule = rule});
  }
  for (const Rule& used : written.used_rules)
    if (std::ranges::find(hub_.shared_settings.rules, used.id, &Rule::id) != hub_.shared_settings.rules.end())
      tell(change::RuleAdded{.rule = used});
  if (written.conversation) {
    const std::uint64_t last = room.shown.last_seq;
    const Access before = room.shown.access.value_or(Access::private_);
    room.shown = *written.conversation;
    room.shown.last_seq = last;
    room.known = true;
    tell_row(room, before);
  }
}

void Publisher::tell_row(Room& room, std::optional<Access> access_before) {
  if (watchers_->empty() && !room.followed->has_listeners()) return;
  if (access_before == room.shown.access.value_or(Access::private_)) access_before.reset();
  const auto change =
      std::make_shared<const Change>(change::ConversationChanged{.conversation = room.shown, .access_before = access_before});
  if (room.listed) watchers_->tell(change);
  room.followed->tell({change, &std::get<change::ConversationChanged>(*change).conversation});
}

void Publisher::tell(Change change, std::size_t bytes) {
  if (!watchers_->empty()) watchers_->tell(std::make_shared<const Change>(std::move(change)), bytes);
}

void Publisher::store_health(Room& room, const Error* error) {
  if (error != nullptr && is_not_owner(*error)) {
    hub_.scope.start(hub_.takeover.drop(hub_.find_room(room.live.id)));
    return;
  }
  const bool failed = error != nullptr;
  const bool is_new = std::exchange(store_failed_, failed) != failed;
  if (!failed) {
    if (is_new) log(LogLevel::warn, "the store works again");
    return hub_.hub.service_changed({.name = "store", .state = Health::ready});
  }
  if (is_new) log(LogLevel::error, "the store failed", {{"conversation", room.live.id}, {"error", error->message}});
  hub_.hub.service_changed({.name = "store", .state = Health::down, .detail = error->message});
  hub_.turns.stop(room);  // Work without a store would be lost.
}

}  // namespace parlance::hub
