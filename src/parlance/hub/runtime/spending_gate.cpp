// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/spending_gate.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "parlance/hub/log/unfinished_turn.h"
#include "parlance/hub/runtime/running_turn.h"

namespace parlance::hub {
namespace {

constexpr auto look_for_tomorrow = std::chrono::minutes(1);  // while a turn is held; clocks change and machines sleep
constexpr std::string_view resume_once = "once";
constexpr std::string_view stop_here = "stop";

// Of several limits, the first is the reason by id.
AskRequest ask_to_resume(const std::vector<Reason>& limits) {
  std::string why;
  for (const Reason& reason : limits) why += in_words(reason) + ". ";
  why += "The message waits. The agent receives the message after a higher limit, or on a new day";
  return {.kind = AskKind::limit,
          .title = limits.size() == 1 ? "A limit is reached. Continue?" : "Several limits are reached. Continue?",
          .why = std::move(why),
          .reason = limits.front(),
          .options = {{.id = std::string(resume_once), .label = "Go on once", .kind = OptionKind::allow_once},
                      {.id = std::string(stop_here), .label = "Do not go on", .kind = OptionKind::reject_once}}};
}

}  // namespace

Task<Result<bool>> SpendingGate::may_begin(std::shared_ptr<ConversationRuntime> runtime, Prompt& prompt) {
  // The limit held this turn before a restart: either its agent has never received the message, or the turn had no message.
  if (prompt.resume && prompt.resume->ask.kind == AskKind::limit) {
    PARLANCE_CO_TRY(said, co_await held_message(core_.store, runtime->current.id, runtime->committed.last_seq));
    prompt.resume = Resume{};
    if (!said.turn.empty())
      prompt = {.text = std::move(said.text),
                .options = std::move(prompt.options),
                .attachments = std::move(said.attachments).value_or(std::vector<AttachmentInfo>{}),
                .context = std::move(said.context).value_or(std::vector<PromptContext>{})};
  }
  PARLANCE_CO_TRY_DO(co_await spending_.load_for(*runtime));
  const std::vector<Reason> limits = spending_.reached_in(runtime->current.id);
  if (limits.empty()) co_return true;
  if (!std::exchange(waits_for_tomorrow_, true)) core_.scope.start(release_held_turns_tomorrow());
  PARLANCE_CO_TRY(answer, co_await runtime->turn->ask(ask_to_resume(limits)));
  co_return answer.allowed();
}

void SpendingGate::set_limits(SpendingLimits now) {
  spending_.set_limits(std::move(now));
  core_.scope.start(release_held_turns());
}

std::vector<std::shared_ptr<PendingAsk>> SpendingGate::held_turns() const {
  std::vector<std::shared_ptr<PendingAsk>> held;
  for (const auto& [id, runtime] : runtimes_)
    for (const auto& [ask, pending] : runtime->pending)
      if (pending->ask.kind == AskKind::limit) held.push_back(pending);
  return held;
}

Task<void> SpendingGate::release_held_turns() {
  for (const std::shared_ptr<PendingAsk>& pending : held_turns()) {
    const auto runtime = pending->runtime.lock();
    if (!runtime) continue;
    const auto loaded = co_await spending_.load_for(*runtime);
    if (!loaded || pending->settling || !spending_.reached_in(pending->ask.conversation).empty()) continue;
    requests_.settle(*pending, AskState::answered,
                     {.option = std::string(resume_once), .kind = OptionKind::allow_once, .by = "limit"});
  }
}

Task<void> SpendingGate::release_held_turns_tomorrow() {
  const std::string day = local_day(core_.settings.wall_clock());
  do co_await sleep_for(core_.loop, look_for_tomorrow);
  while (!held_turns().empty() && local_day(core_.settings.wall_clock()) == day);
  waits_for_tomorrow_ = false;
  co_await release_held_turns();
}

}  // namespace parlance::hub
