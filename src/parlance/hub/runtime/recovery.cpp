// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/recovery.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/log/unfinished_turn.h"

namespace parlance::hub {

namespace {

// The answer of a settled ask, from the row of the ask.
AskAnswer answer_in(const Ask& row) {
  AskAnswer answer{.state = row.state,
                   .option = row.chosen.value_or(""),
                   .text = row.answers.empty() ? row.text.value_or("") : "",
                   .answers = row.answers,
                   .by = row.by.value_or(""),
                   .edited = row.edited,
                   .digest = row.digest};
  const auto option = std::ranges::find(row.options, answer.option, &AskOption::id);
  if (option != row.options.end()) answer.kind = option->kind;
  else if (!row.answers.empty()) answer.kind = OptionKind::choice;
  return answer;
}

}  // namespace

Task<Result<void>> Recovery::recover(std::shared_ptr<Room> room) {
  if (can_take_up(*room)) {
    PARLANCE_CO_TRY(so_far, co_await turn_so_far(parts_.core.store, room->live.id, room->live.last_seq));
    if (is_worth_it(*room, so_far)) co_return co_await take_up(std::move(room), std::move(so_far));
  }
  co_return co_await end_interrupted(*room);
}

bool Recovery::can_take_up(const Room& room) const {
  const auto its = parts_.core.provider(room.live.agent);
  return !room.live.turn.empty() && its != nullptr && its->takes_up();
}

// A turn with an open question to a person costs nothing, at any age. A turn held by a limit has not begun; the limit asks again.
bool Recovery::is_worth_it(const Room& room, const TurnSoFar& so_far) const {
  bool asks_somebody = false;
  for (const auto& [id, ask] : room.asks) {
    if (ask.state != AskState::open) continue;
    if (ask.kind == AskKind::limit) return false;
    asks_somebody = true;
  }
  return asks_somebody || time_since(so_far.last, parts_.core.settings.wall_clock()) < limits::taken_up_within;
}

Task<Result<void>> Recovery::take_up(std::shared_ptr<Room> room, TurnSoFar so_far) {
  log(LogLevel::info, "a turn goes on", {{"conversation", room->live.id}, {"turn", room->live.turn}});
  PARLANCE_CO_TRY(asked, co_await asked_before(*room, so_far));
  const bool asks_somebody = std::ranges::any_of(asked, [](const AskedBefore& asked) { return asked.open != nullptr; });
  room->turn = std::make_shared<RunningTurn>(parts_, *room, room->live.turn, so_far.by);
  room->turn->begin_as_it_was(so_far, parts_.core.settings.wall_clock(), std::move(asked));
  room->live.state = asks_somebody ? ConversationState::waiting : ConversationState::running;
  room->touch();
  parts_.core.scope.start(turns_.run_turn(std::move(room), {}, std::move(so_far)));
  co_return Result<void>{};
}

// Requests of unstarted calls stay open or keep their answers. Requests of calls that had begun have no waiting caller
// and are cancelled.
Task<Result<std::vector<AskedBefore>>> Recovery::asked_before(Room& room, const TurnSoFar& so_far) {
  std::vector<AskedBefore> asked;
  for (const Ask& as_asked : so_far.asks) {
    const std::string call = as_asked.call.value_or("");
    const auto about = std::ranges::find(so_far.calls, call, [](const OpenCall& open_call) { return open_call.call.id; });
    if (about == so_far.calls.end() || about->begun) continue;
    PARLANCE_CO_TRY(row, co_await parts_.core.store.ask(as_asked.id));
    if (!row) continue;
    AskedBefore earlier{.call = call, .digest = as_asked.digest};
    if (row->state == AskState::open) {
      earlier.open = std::make_shared<PendingAsk>(parts_.core.loop, parts_.requests, room.weak_from_this());
      earlier.open->ask = *std::move(row);
      earlier.open->unclaimed = true;
      if (const auto expires = from_rfc3339(earlier.open->ask.expires_at.value_or(""))) {
        earlier.open->expires =
            parts_.core.loop.now() + std::chrono::duration_cast<Duration>(*expires - parts_.core.settings.wall_clock());
        earlier.open->start(parts_.core.loop, earlier.open->expires);
      }
      room.pending.emplace(earlier.open->ask.id, earlier.open);
    } else {
      earlier.settled = answer_in(*row);
    }
    asked.push_back(std::move(earlier));
  }
  std::vector<Ask> lost;
  for (const auto& [id, ask] : room.asks)
    if (ask.state == AskState::open && !room.pending.contains(id)) lost.push_back(ask);
  for (Ask& ask : lost) parts_.requests.cancel_lost(room, std::move(ask));
  co_return asked;
}

// ---- turns that cannot continue ------------------------------------------------------------------------------------------

// Closes the open parts of the turn. Open requests become orphans and wait for `reask`.
Task<Result<void>> Recovery::end_interrupted(Room& room) {
  PARLANCE_CO_TRY(open, co_await unfinished_turn(parts_.core.store, room.live.id, room.live.last_seq));
  if (open.thinking) room.log.append(event::ThinkingEnd{});
  for (const auto& [id, known] : room.asks) {
    if (known.state != AskState::open) continue;
    Ask orphan = known;
    orphan.state = AskState::orphaned;
    orphan.by = "restart";
    room.log.put(orphan);
    room.log.append(event::AskSettled{.ask = id, .state = AskState::orphaned, .by = "restart"});
  }
  for (const std::string& call : open.calls) room.log.append(event::ToolEnd{.call = call, .state = ToolEndState::cancelled});
  if (!room.live.turn.empty()) {
    room.log.append(cut_off_failure());
    room.log.append(
        event::TurnEnd{.turn = room.live.turn, .stop_reason = StopReason::error, .duration_ms = open.duration.count()});
  }
  room.live.turn.clear();
  room.live.state = ConversationState::idle;
  room.touch();
  co_return Result<void>{};
}

}  // namespace parlance::hub
