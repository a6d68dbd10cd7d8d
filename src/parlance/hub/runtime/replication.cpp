// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/replication.h"

#include <algorithm>
#include <utility>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/log/news.h"
#include "parlance/hub/runtime/change.h"

namespace parlance::hub {

Task<void> Replication::see(SeenConversation now) {
  auto room = rooms_.find(now.row.id);
  if (room && room->ownership.is_changing()) skipped_.insert(now.row.id);
  if (room && (!room->ownership.is_elsewhere() || now.row.last_seq < room->shown.last_seq)) co_return;
  const bool is_new = !room;
  if (is_new) room = rooms_.add(now.row, true);
  // A takeover that failed after the claim leaves a row that only this gateway can use.
  const bool is_half_taken = now.is_ours && core_.leaving == Core::Leaving::no && !(room && places_.is_anothers(*room));
  std::vector<std::string> no_longer_open = put_seen(*room, std::move(now));
  if (is_new) publisher_.tell_row(*room);
  co_await tell_settled(room, std::move(no_longer_open));
  if (is_half_taken && room->ownership.is_elsewhere()) half_taken_(room);
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
  for (const auto& [id, ask] : room.asks)
    if (std::ranges::find(now.asks, id, &Ask::id) == now.asks.end()) settled.push_back(id);
  for (const std::string& id : settled) room.asks.erase(id);
  for (Ask& ask : now.asks) {
    const auto known = room.asks.find(ask.id);
    if (known != room.asks.end() && known->second == ask) continue;
    room.asks.insert_or_assign(ask.id, ask);
    publisher_.tell(change::AskChanged{.ask = std::move(ask)});
  }
  const bool changed = room.shown != now.row;
  const Access before = room.shown.access.value_or(Access::private_);
  room.live = room.shown = std::move(now.row);
  if (changed) publisher_.tell_row(room, before);
  return settled;
}

Task<void> Replication::tell_settled(std::shared_ptr<Room> room, std::vector<std::string> settled) {
  for (const std::string& id : settled) {
    auto row = co_await core_.store.ask(id);
    if (rooms_.find(room->live.id) != room || room->asks.contains(id)) continue;
    if (!row) unread_asks_.insert_or_assign(id, room);  // otherwise pages would show the request as open
    else if (*row) publisher_.tell(change::AskChanged{.ask = **std::move(row)});
  }
}

Task<Result<void>> Replication::see_anew(std::shared_ptr<Room> room) {
  PARLANCE_CO_TRY(now, co_await core_.shared->look({room->live.id}));
  if (!now.empty()) co_await see(std::move(now.front()));
  else if (room->ownership.is_elsewhere()) publisher_.removed(room);
  co_return Result<void>{};
}

void Replication::owner_changed(const std::string& conversation) {
  if (!skipped_.contains(conversation)) return;
  next_read_skipped_ = {};
  core_.scope.start(read_skipped());
}

Task<void> Replication::read_skipped() {
  if ((skipped_.empty() && unread_asks_.empty()) || core_.loop.now() < next_read_skipped_) co_return;
  next_read_skipped_ = core_.loop.now() + limits::news_retry;
  for (const auto& [ask, room] : std::exchange(unread_asks_, {})) co_await tell_settled(room, {ask});
  std::vector<std::string> ids;
  for (const std::string& id : skipped_) {
    const auto room = rooms_.find(id);
    if (!room || !room->ownership.is_changing()) ids.push_back(id);
  }
  for (const std::string& id : ids) skipped_.erase(id);
  for (const std::string& id : ids) {
    const auto room = rooms_.find(id);
    if (!room || !room->ownership.is_elsewhere()) continue;
    if (const auto seen = co_await see_anew(room); !seen) skipped_.insert(id);
  }
}

}  // namespace parlance::hub
