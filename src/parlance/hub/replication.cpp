// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/replication.h"

#include <algorithm>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/hub/implementation.h"
#include "parlance/hub/limits.h"

namespace parlance::hub {

Task<void> Replication::follow() {
  for (bool failed = false;;) {
    Result<News> news = co_await hub_.shared->news();
    if (news) {
      if (std::exchange(failed, false)) hub_.hub.service_changed({.name = "store", .state = Health::ready});
      co_await take_in(*std::move(news));
      co_await read_skipped();
      hub_.takeover.release_idle();
      continue;
    }
    if (!std::exchange(failed, true)) {
      log(LogLevel::warn, "other gateways cannot be followed", {{"error", news.error().message}});
      hub_.hub.service_changed({.name = "store", .state = Health::down, .detail = news.error().message});
    }
    co_await sleep_for(hub_.loop, limits::news_retry);
  }
}

Task<void> Replication::take_in(News news) {
  if (news.standing)
    static_cast<void>(co_await hub_.shared_settings.load());  // a failed read is repeated before the next decision
  if (news.places) hub_.takeover.take_places(*std::move(news.places));
  for (SeenConversation& one : news.changed) co_await see(std::move(one));
  for (const News::Longer& one : news.longer) {
    const auto room = hub_.find_room(one.id);
    if (room && room->ownership.is_changing()) skipped_.insert(one.id);
    if (!room || !room->ownership.is_elsewhere() || one.last_seq <= room->shown.last_seq) continue;
    room->live.last_seq = room->shown.last_seq = one.last_seq;
    room->followed->reach(one.last_seq);
  }
  for (const std::string& id : news.removed) {
    const auto room = hub_.find_room(id);
    if (room && room->ownership.is_changing()) skipped_.insert(id);
    else if (room && room->ownership.is_elsewhere()) hub_.forget(room);
  }
  for (const std::string& id : news.commands)
    if (const auto room = hub_.find_room(id); room && room->ownership.may_write())
      hub_.scope.start(hub_.takeover.do_commands(room));
  if (hub_.takeover.leaving != Takeover::Leaving::no) co_return;
  for (const News::Left& one : news.left) {
    const PackedConversation* const packed = hub_.rooms.idle().find(one.id);
    if (packed != nullptr && !one.has_commands && !packed->start().via) continue;
    const auto room = hub_.find_room(one.id);
    if (room && room->ownership.is_changing()) skipped_.insert(one.id);
    if (!room || !room->ownership.is_elsewhere()) continue;
    room->ownership.apply(Ownership::Event::owner_gone);
    if (hub_.takeover.is_anothers(*room)) continue;
    const bool asks_somebody = std::ranges::any_of(hub_.requests.asks, [&](const auto& entry) {
      return entry.second.conversation == one.id && entry.second.state == AskState::open;
    });
    if (one.has_commands || asks_somebody || room->live.via || !room->live.turn.empty())
      hub_.scope.start(hub_.takeover.claim_left(room));
  }
}

Task<void> Replication::see(SeenConversation now) {
  auto room = hub_.find_room(now.row.id);
  if (room && room->ownership.is_changing()) skipped_.insert(now.row.id);
  if (room && (!room->ownership.is_elsewhere() || now.row.last_seq < room->shown.last_seq)) co_return;
  const bool is_new = !room;
  if (is_new) room = hub_.rooms.add(now.row, true);
  // A takeover that failed after the claim leaves a row that only this gateway can use.
  const bool is_half_taken =
      now.is_ours && hub_.takeover.leaving == Takeover::Leaving::no && !(room && hub_.takeover.is_anothers(*room));
  std::vector<std::string> no_longer_open = put_seen(*room, std::move(now));
  if (is_new) hub_.publisher.tell_row(*room);
  co_await tell_settled(room, std::move(no_longer_open));
  if (is_half_taken && room->ownership.is_elsewhere()) hub_.scope.start(hub_.takeover.claim_left(room));
}

// Same order as for own conversations: events, asks, then the row.
std::vector<std::string> Replication::put_seen(Room& room, SeenConversation now) {
  now.row.waits_for.reset();
  room.ownership.apply(now.has_owner ? Ownership::Event::owner_seen : Ownership::Event::owner_gone);
  room.listed = room.listed || !now.asks.empty();
  const std::uint64_t last_seq = now.row.last_seq;
  room.shown.last_seq = last_seq;
  room.followed->reach(last_seq);
  std::vector<std::string> settled;
  for (const auto& [id, ask] : hub_.requests.asks)
    if (ask.conversation == room.live.id && std::ranges::find(now.asks, id, &Ask::id) == now.asks.end()) settled.push_back(id);
  for (const std::string& id : settled) hub_.requests.asks.erase(id);
  for (Ask& ask : now.asks) {
    const auto known = hub_.requests.asks.find(ask.id);
    if (known != hub_.requests.asks.end() && known->second == ask) continue;
    hub_.requests.asks.insert_or_assign(ask.id, ask);
    hub_.publisher.tell(change::AskChanged{.ask = std::move(ask)});
  }
  const bool changed = room.shown != now.row;
  const Access before = room.shown.access.value_or(Access::private_);
  room.live = room.shown = std::move(now.row);
  if (changed) hub_.publisher.tell_row(room, before);
  return settled;
}

Task<void> Replication::tell_settled(std::shared_ptr<Room> room, std::vector<std::string> settled) {
  for (const std::string& id : settled) {
    auto row = co_await hub_.store.ask(id);
    if (row && *row && hub_.find_room(room->live.id) == room && !hub_.requests.asks.contains(id))
      hub_.publisher.tell(change::AskChanged{.ask = **std::move(row)});
  }
}

Task<Result<void>> Replication::see_anew(std::shared_ptr<Room> room) {
  PARLANCE_CO_TRY(now, co_await hub_.shared->look({room->live.id}));
  if (!now.empty()) co_await see(std::move(now.front()));
  else if (room->ownership.is_elsewhere()) hub_.forget(room);
  co_return Result<void>{};
}

void Replication::owner_changed(const std::string& conversation) {
  if (!skipped_.contains(conversation)) return;
  next_read_skipped_ = {};
  hub_.scope.start(read_skipped());
}

Task<void> Replication::read_skipped() {
  if (skipped_.empty() || hub_.loop.now() < next_read_skipped_) co_return;
  next_read_skipped_ = hub_.loop.now() + limits::news_retry;
  std::vector<std::string> ids;
  for (const std::string& id : skipped_) {
    const auto room = hub_.find_room(id);
    if (!room || !room->ownership.is_changing()) ids.push_back(id);
  }
  for (const std::string& id : ids) skipped_.erase(id);
  for (const std::string& id : ids) {
    const auto room = hub_.find_room(id);
    if (!room || !room->ownership.is_elsewhere()) continue;
    if (const auto seen = co_await see_anew(room); !seen) skipped_.insert(id);
  }
}

// ---- settings of all conversations ----------------------------------------------------------------------------------------

}  // namespace parlance::hub
