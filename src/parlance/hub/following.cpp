// SPDX-License-Identifier: Apache-2.0
// Replication in a shared store: conversations of other hubs, their asks, rules and limits.
#include <algorithm>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/limits.h"
#include "parlance/hub/running_turn.h"

namespace parlance::hub {

Task<void> Hub::Implementation::follow() {
  for (bool failed = false;;) {
    Result<News> news = co_await shared->news();
    if (news) {
      if (std::exchange(failed, false)) hub.service_changed({.name = "store", .state = Health::ready});
      co_await take_in(*std::move(news));
      co_await read_skipped();
      release_idle();
      continue;
    }
    if (!std::exchange(failed, true)) {
      log(LogLevel::warn, "other gateways cannot be followed", {{"error", news.error().message}});
      hub.service_changed({.name = "store", .state = Health::down, .detail = news.error().message});
    }
    co_await sleep_for(loop, limits::news_retry);
  }
}

Task<void> Hub::Implementation::take_in(News news) {
  if (news.standing) static_cast<void>(co_await load_standing());  // a failed read is repeated before the next decision
  if (news.places) take_places(*std::move(news.places));
  for (SeenConversation& one : news.changed) co_await see(std::move(one));
  for (const News::Longer& one : news.longer) {
    const auto room = find_room(one.id);
    if (room && room->ownership.is_changing()) skipped.insert(one.id);
    if (!room || !room->ownership.is_elsewhere() || one.last_seq <= room->shown.last_seq) continue;
    room->live.last_seq = room->shown.last_seq = one.last_seq;
    room->followed->reach(one.last_seq);
  }
  for (const std::string& id : news.removed) {
    const auto room = find_room(id);
    if (room && room->ownership.is_changing()) skipped.insert(id);
    else if (room && room->ownership.is_elsewhere()) forget(room);
  }
  for (const std::string& id : news.commands)
    if (const auto room = find_room(id); room && room->ownership.may_write()) scope.start(do_commands(room));
  if (leaving != Leaving::no) co_return;
  for (const News::Left& one : news.left) {
    const PackedConversation* const packed = rooms.idle().find(one.id);
    if (packed != nullptr && !one.has_commands && !packed->start().via) continue;
    const auto room = find_room(one.id);
    if (room && room->ownership.is_changing()) skipped.insert(one.id);
    if (!room || !room->ownership.is_elsewhere()) continue;
    room->ownership.apply(Ownership::Event::owner_gone);
    if (is_anothers(*room)) continue;
    const bool asks_somebody = std::ranges::any_of(
        asks, [&](const auto& entry) { return entry.second.conversation == one.id && entry.second.state == AskState::open; });
    if (one.has_commands || asks_somebody || room->live.via || !room->live.turn.empty()) scope.start(claim_left(room));
  }
}

Task<void> Hub::Implementation::see(SeenConversation now) {
  auto room = find_room(now.row.id);
  if (room && room->ownership.is_changing()) skipped.insert(now.row.id);
  if (room && (!room->ownership.is_elsewhere() || now.row.last_seq < room->shown.last_seq)) co_return;
  const bool is_new = !room;
  if (is_new) room = rooms.add(now.row, true);
  // A takeover that failed after the claim leaves a row that only this gateway can use.
  const bool is_half_taken = now.is_ours && leaving == Leaving::no && !(room && is_anothers(*room));
  std::vector<std::string> no_longer_open = put_seen(*room, std::move(now));
  if (is_new) tell_row(*room);
  co_await tell_settled(room, std::move(no_longer_open));
  if (is_half_taken && room->ownership.is_elsewhere()) scope.start(claim_left(room));
}

// Same order as for own conversations: events, asks, then the row.
std::vector<std::string> Hub::Implementation::put_seen(Room& room, SeenConversation now) {
  now.row.waits_for.reset();
  room.ownership.apply(now.has_owner ? Ownership::Event::owner_seen : Ownership::Event::owner_gone);
  room.listed = room.listed || !now.asks.empty();
  const std::uint64_t last_seq = now.row.last_seq;
  room.shown.last_seq = last_seq;
  room.followed->reach(last_seq);
  std::vector<std::string> settled;
  for (const auto& [id, ask] : asks)
    if (ask.conversation == room.live.id && std::ranges::find(now.asks, id, &Ask::id) == now.asks.end()) settled.push_back(id);
  for (const std::string& id : settled) asks.erase(id);
  for (Ask& ask : now.asks) {
    const auto known = asks.find(ask.id);
    if (known != asks.end() && known->second == ask) continue;
    asks.insert_or_assign(ask.id, ask);
    tell(change::AskChanged{.ask = std::move(ask)});
  }
  const bool changed = room.shown != now.row;
  const Access before = room.shown.access.value_or(Access::private_);
  room.live = room.shown = std::move(now.row);
  if (changed) tell_row(room, before);
  return settled;
}

Task<void> Hub::Implementation::tell_settled(std::shared_ptr<Room> room, std::vector<std::string> settled) {
  for (const std::string& id : settled) {
    auto row = co_await store.ask(id);
    if (row && *row && find_room(room->live.id) == room && !asks.contains(id)) tell(change::AskChanged{.ask = **std::move(row)});
  }
}

Task<Result<void>> Hub::Implementation::see_anew(std::shared_ptr<Room> room) {
  PARLANCE_CO_TRY(now, co_await shared->look({room->live.id}));
  if (!now.empty()) co_await see(std::move(now.front()));
  else if (room->ownership.is_elsewhere()) forget(room);
  co_return Result<void>{};
}

Task<void> Hub::Implementation::read_skipped() {
  if (skipped.empty() || loop.now() < next_read_skipped) co_return;
  next_read_skipped = loop.now() + limits::news_retry;
  std::vector<std::string> ids;
  for (const std::string& id : skipped) {
    const auto room = find_room(id);
    if (!room || !room->ownership.is_changing()) ids.push_back(id);
  }
  for (const std::string& id : ids) skipped.erase(id);
  for (const std::string& id : ids) {
    const auto room = find_room(id);
    if (!room || !room->ownership.is_elsewhere()) continue;
    if (const auto seen = co_await see_anew(room); !seen) skipped.insert(id);
  }
}

// ---- settings of all conversations ----------------------------------------------------------------------------------------

Task<Result<void>> Hub::Implementation::refresh_standing() {
  PARLANCE_CO_TRY(version, co_await shared->standing_version());
  if (version == standing_version) co_return Result<void>{};
  co_return co_await load_standing();
}

Task<Result<void>> Hub::Implementation::load_standing() {
  PARLANCE_CO_TRY(now, co_await shared->standing());
  standing_version = now.version;
  std::vector<Rule> before = std::exchange(rules, std::move(now.rules));
  bool more = false;
  for (const Rule& rule : rules) {
    const auto known = std::ranges::find(before, rule.id, &Rule::id);
    more = more || known == before.end();
    if (known == before.end() || *known != rule) tell(change::RuleAdded{.rule = rule});
    if (known != before.end()) before.erase(known);
  }
  for (const Rule& gone : before) tell(change::RuleRemoved{.id = gone.id, .user = gone.user});
  if (now.limits != spending.limits) {
    spending.limits = std::move(now.limits);
    let_go_on();
  }
  if (more) decide_open();
  take_team(std::move(now.team));
  co_return Result<void>{};
}

// Frontends show names: a changed name restarts their lists.
void Hub::Implementation::take_team(TeamPtr now) {
  const Team none;
  const Team& is = now ? *now : none;
  const Team& was = team ? *team : none;
  if (is == was) return;
  const bool others = is.users != was.users;
  team = std::move(now);
  if (settings.team_changed) settings.team_changed(team);
  if (others) tell(change::Resync{});
}

}  // namespace parlance::hub
