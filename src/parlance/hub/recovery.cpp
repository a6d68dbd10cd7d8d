// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/recovery.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/hub/implementation.h"
#include "parlance/hub/limits.h"
#include "parlance/hub/log/left_open.h"

namespace parlance::hub {

event::Failure cut_off_failure() {
  return {.code = "interrupted", .message = "parlance ended while this turn was running", .retryable = true};
}
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

// Time since `time`, as far as a wall clock shows.
Duration since(const std::string& time, WallTime now) {
  const auto then = from_rfc3339(time);
  return then && *then < now ? std::chrono::duration_cast<Duration>(now - *then) : Duration::zero();
}

}  // namespace

Task<Result<void>> Recovery::recover(std::shared_ptr<Room> room) {
  if (can_take_up(*room)) {
    PARLANCE_CO_TRY(so_far, co_await turn_so_far(hub_.store, room->live.id, room->live.last_seq));
    if (is_worth_it(*room, so_far)) co_return co_await take_up(std::move(room), std::move(so_far));
  }
  co_return co_await end_interrupted(*room);
}

bool Recovery::can_take_up(const Room& room) const {
  const auto its = hub_.provider(room.live.agent);
  return !room.live.turn.empty() && its != nullptr && its->takes_up();
}

// A turn with an open question to a person costs nothing, at any age. A turn held by a limit has not begun; the limit asks again.
bool Recovery::is_worth_it(const Room& room, const TurnSoFar& so_far) const {
  bool asks_somebody = false;
  for (const auto& [id, ask] : hub_.requests.asks) {
    if (ask.conversation != room.live.id || ask.state != AskState::open) continue;
    if (ask.kind == AskKind::limit) return false;
    asks_somebody = true;
  }
  return asks_somebody || since(so_far.last, hub_.settings.wall_clock()) < limits::taken_up_within;
}

Task<Result<void>> Recovery::take_up(std::shared_ptr<Room> room, TurnSoFar so_far) {
  log(LogLevel::info, "a turn goes on", {{"conversation", room->live.id}, {"turn", room->live.turn}});
  PARLANCE_CO_TRY(asked, co_await asked_before(*room, so_far));
  const bool asks_somebody = std::ranges::any_of(asked, [](const AskedBefore& one) { return one.open != nullptr; });
  room->turn = std::make_unique<RunningTurn>(hub_, *room, room->live.turn, so_far.by);
  room->turn->begin_as_it_was(so_far, hub_.settings.wall_clock(), std::move(asked));
  room->live.state = asks_somebody ? ConversationState::waiting : ConversationState::running;
  hub_.touch(*room);
  hub_.scope.start(hub_.turns.run_turn(std::move(room), {}, std::move(so_far)));
  co_return Result<void>{};
}

// Requests of unstarted calls stay open or keep their answers. Requests of calls that had begun have no waiting caller
// and are cancelled.
Task<Result<std::vector<AskedBefore>>> Recovery::asked_before(Room& room, const TurnSoFar& so_far) {
  std::vector<AskedBefore> asked;
  for (const Ask& as_asked : so_far.asks) {
    const std::string call = as_asked.call.value_or("");
    const auto about = std::ranges::find(so_far.calls, call, [](const OpenCall& one) { return one.call.id; });
    if (about == so_far.calls.end() || about->begun) continue;
    PARLANCE_CO_TRY(row, co_await hub_.store.ask(as_asked.id));
    if (!row) continue;
    AskedBefore one{.call = call, .digest = as_asked.digest};
    if (row->state == AskState::open) {
      one.open = std::make_shared<PendingAsk>(hub_.loop, hub_);
      one.open->ask = *std::move(row);
      one.open->unclaimed = true;
      if (const auto expires = from_rfc3339(one.open->ask.expires_at.value_or(""))) {
        one.open->expires = hub_.loop.now() + std::chrono::duration_cast<Duration>(*expires - hub_.settings.wall_clock());
        one.open->start(hub_.loop, one.open->expires);
      }
      hub_.requests.pending.emplace(one.open->ask.id, one.open);
    } else {
      one.settled = answer_in(*row);
    }
    asked.push_back(std::move(one));
  }
  std::vector<Ask> lost;
  for (const auto& [id, ask] : hub_.requests.asks)
    if (ask.conversation == room.live.id && ask.state == AskState::open && !hub_.requests.pending.contains(id))
      lost.push_back(ask);
  for (Ask& ask : lost) hub_.requests.cancel_lost(room, std::move(ask));
  co_return asked;
}

// ---- the turn ------------------------------------------------------------------------------------------------------------

void RunningTurn::begin_as_it_was(const TurnSoFar& so_far, WallTime now, std::vector<AskedBefore> asked) {
  started_ = hub_.loop.now() - since(so_far.began, now);
  if (so_far.thinking) thinking_since_ = hub_.loop.now() - since(so_far.thinking_since, now);
  for (const OpenCall& one : so_far.calls) open_calls_.insert(one.call.id);
  asked_before_ = std::move(asked);
  told_usage_ = so_far.told_usage;
}

std::optional<AskedBefore> RunningTurn::take_asked_before(const Ask& ask) {
  Ask of_version_0_2 = ask;  // version 0.2 had no reasons
  of_version_0_2.reason.reset();
  const std::array digests{ask.digest, digest_of(of_version_0_2, room_.live.folder)};
  const auto found = std::ranges::find_if(asked_before_, [&](const AskedBefore& one) {
    return one.call == ask.call && std::ranges::find(digests, one.digest) != digests.end();
  });
  if (found == asked_before_.end()) return std::nullopt;
  AskedBefore mine = std::move(*found);
  asked_before_.erase(found);
  return mine;
}

void RunningTurn::forget_asked_before(const std::optional<std::string>& call, AskState state, const AskAnswer& answer) {
  std::vector<AskedBefore> about;
  std::erase_if(asked_before_, [&](AskedBefore& one) {
    if (one.call != call) return false;
    about.push_back(std::move(one));
    return true;
  });
  for (const AskedBefore& one : about)
    if (one.open != nullptr) hub_.requests.settle(*one.open, state, answer);
}

// The agent repeats the request, so the hub knows the effect of an answer.
void PendingAsk::claim(AskRequest request) {
  rules = std::move(request.rules);
  intent = std::move(request.intent);
  unclaimed = false;
  claimed.notify_all();
}

// ---- turns that cannot continue ------------------------------------------------------------------------------------------

// Closes the open parts of the turn. Open requests become orphans and wait for `reask`.
Task<Result<void>> Recovery::end_interrupted(Room& room) {
  PARLANCE_CO_TRY(open, co_await left_open(hub_.store, room.live.id, room.live.last_seq));
  if (open.thinking) room.log.append(event::ThinkingEnd{});
  for (const auto& [id, known] : hub_.requests.asks) {
    if (known.conversation != room.live.id || known.state != AskState::open) continue;
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
  hub_.touch(room);
  co_return Result<void>{};
}

}  // namespace parlance::hub
