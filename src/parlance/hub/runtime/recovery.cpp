// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/recovery.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "parlance/base/log.h"
#include "parlance/hub/conversation/ask.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
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

Task<Result<void>> Recovery::recover(std::shared_ptr<ConversationRuntime> runtime) {
  if (can_resume(*runtime)) {
    PARLANCE_CO_TRY(so_far, co_await turn_so_far(parts_.core.store, runtime->current.id, runtime->current.last_seq));
    if (is_worth_it(*runtime, so_far)) co_return co_await resume_turn(std::move(runtime), std::move(so_far));
  }
  co_return co_await end_interrupted(*runtime);
}

bool Recovery::can_resume(const ConversationRuntime& runtime) const {
  const auto agent_provider = parts_.core.provider(runtime.current.agent);
  return !runtime.current.turn.empty() && agent_provider != nullptr && agent_provider->resumes_turns();
}

// A turn with an open question to a person costs nothing, at any age. A turn held by a limit has not begun; the limit asks again.
bool Recovery::is_worth_it(const ConversationRuntime& runtime, const TurnSoFar& so_far) const {
  bool has_open_request = false;
  for (const auto& [id, ask] : runtime.asks) {
    if (ask.state != AskState::open) continue;
    if (ask.kind == AskKind::limit) return false;
    has_open_request = true;
  }
  return has_open_request || time_since(so_far.last, parts_.core.settings.wall_clock()) < limits::resumed_within;
}

Task<Result<void>> Recovery::resume_turn(std::shared_ptr<ConversationRuntime> runtime, TurnSoFar so_far) {
  log(LogLevel::info, "a turn goes on", {{"conversation", runtime->current.id}, {"turn", runtime->current.turn}});
  PARLANCE_CO_TRY(asked, co_await asked_before(*runtime, so_far));
  const bool has_open_request = std::ranges::any_of(asked, [](const AskedBefore& earlier) { return earlier.open != nullptr; });
  runtime->turn = std::make_shared<RunningTurn>(parts_, *runtime, runtime->current.turn, so_far.by);
  runtime->turn->restore(so_far, parts_.core.settings.wall_clock(), std::move(asked));
  runtime->current.state = has_open_request ? ConversationState::waiting : ConversationState::running;
  runtime->touch();
  parts_.core.scope.start(turns_.run_turn(std::move(runtime), {}, std::move(so_far)));
  co_return Result<void>{};
}

// Requests of unstarted calls stay open or keep their answers. Requests of calls that had begun have no waiting caller
// and are cancelled.
Task<Result<std::vector<AskedBefore>>> Recovery::asked_before(ConversationRuntime& runtime, const TurnSoFar& so_far) {
  std::vector<AskedBefore> asked;
  for (const Ask& as_asked : so_far.asks) {
    const std::string call = as_asked.call.value_or("");
    const auto about = std::ranges::find(so_far.calls, call, [](const OpenCall& open_call) { return open_call.call.id; });
    if (about == so_far.calls.end() || about->begun) continue;
    PARLANCE_CO_TRY(row, co_await parts_.core.store.ask(as_asked.id));
    if (!row) continue;
    AskedBefore earlier{.call = call, .digest = as_asked.digest};
    if (row->state == AskState::open) {
      earlier.open = std::make_shared<PendingAsk>(parts_.core.loop, parts_.requests, runtime.weak_from_this());
      earlier.open->ask = *std::move(row);
      earlier.open->unclaimed = true;
      if (const auto expires = from_rfc3339(earlier.open->ask.expires_at.value_or(""))) {
        earlier.open->expires =
            parts_.core.loop.now() + std::chrono::duration_cast<Duration>(*expires - parts_.core.settings.wall_clock());
        earlier.open->start(parts_.core.loop, earlier.open->expires);
      }
      runtime.pending.emplace(earlier.open->ask.id, earlier.open);
    } else {
      earlier.settled = answer_in(*row);
    }
    asked.push_back(std::move(earlier));
  }
  std::vector<Ask> lost;
  for (const auto& [id, ask] : runtime.asks)
    if (ask.state == AskState::open && !runtime.pending.contains(id)) lost.push_back(ask);
  for (Ask& ask : lost) parts_.requests.cancel_lost(runtime, std::move(ask));
  co_return asked;
}

// ---- turns that cannot continue ------------------------------------------------------------------------------------------

// Closes the open parts of the turn. Open requests become orphans and wait for RepeatRequest.
Task<Result<void>> Recovery::end_interrupted(ConversationRuntime& runtime) {
  PARLANCE_CO_TRY(open, co_await unfinished_turn(parts_.core.store, runtime.current.id, runtime.current.last_seq));
  if (open.thinking) runtime.log.append(event::ThinkingEnd{});
  for (const auto& [id, known] : runtime.asks) {
    if (known.state != AskState::open) continue;
    Ask orphan = known;
    orphan.state = AskState::orphaned;
    orphan.by = "restart";
    runtime.log.put(orphan);
    runtime.log.append(event::AskSettled{.ask = id, .state = AskState::orphaned, .by = "restart"});
  }
  for (const std::string& call : open.calls) runtime.log.append(event::ToolEnd{.call = call, .state = ToolEndState::cancelled});
  if (!runtime.current.turn.empty()) {
    runtime.log.append(cut_off_failure());
    runtime.log.append(
        event::TurnEnd{.turn = runtime.current.turn, .stop_reason = StopReason::error, .duration_ms = open.duration.count()});
  }
  runtime.current.turn.clear();
  runtime.current.state = ConversationState::idle;
  runtime.touch();
  co_return Result<void>{};
}

}  // namespace parlance::hub
