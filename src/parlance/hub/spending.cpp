// SPDX-License-Identifier: Apache-2.0
// Sums of model use; at a reached limit no turn begins without a person's answer.
#include <algorithm>
#include <chrono>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/log/left_open.h"
#include "parlance/hub/running_turn.h"

namespace parlance::hub {
namespace {

constexpr auto look_for_tomorrow = std::chrono::minutes(1);  // while a turn is held; clocks change and machines sleep
constexpr std::string_view go_on_once = "once";
constexpr std::string_view stop_here = "stop";

// Of several limits, the first is the reason by id.
AskRequest ask_to_go_on(const std::vector<Reason>& limits) {
  std::string why;
  for (const Reason& one : limits) why += in_words(one) + ". ";
  why += "The message waits. The agent receives the message after a higher limit, or on a new day";
  return {.kind = AskKind::limit,
          .title = limits.size() == 1 ? "A limit is reached. Continue?" : "Several limits are reached. Continue?",
          .why = std::move(why),
          .reason = limits.front(),
          .options = {{.id = std::string(go_on_once), .label = "Go on once", .kind = OptionKind::allow_once},
                      {.id = std::string(stop_here), .label = "Do not go on", .kind = OptionKind::reject_once}}};
}

}  // namespace

Task<Result<void>> Hub::Implementation::load_spending(SpendingLimits limits) {
  spending.limits = std::move(limits);
  spending.day = local_day(settings.wall_clock());
  PARLANCE_CO_TRY(rows, co_await store.spent(""));
  for (const SpentOn& one : rows) {
    if (one.day == spending.day) spending.today += one.spent;
    if (rooms.contains(one.conversation)) spending.in_conversation[one.conversation] += one.spent;
  }
  co_return Result<void>{};
}

Task<Result<void>> Hub::Implementation::load_spent_today() {
  if (shared == nullptr || (!spending.limits.day_tokens && !spending.limits.day_cost)) co_return Result<void>{};
  const std::string day = local_day(settings.wall_clock());
  PARLANCE_CO_TRY(rows, co_await store.spent(day));
  spending.day = day;
  spending.today = {};
  for (const SpentOn& one : rows)
    if (one.day == day) spending.today += one.spent;
  co_return Result<void>{};
}

Task<Result<void>> Hub::Implementation::load_spent_in(std::string conversation) {
  PARLANCE_CO_TRY(sum, co_await shared->spent_in(conversation));
  spending.in_conversation.insert_or_assign(std::move(conversation), std::move(sum));
  co_return Result<void>{};
}

void Hub::Implementation::count(Room& room, Spent spent) {
  if (spent.empty()) return;
  const std::string day = local_day(settings.wall_clock());
  if (std::exchange(spending.day, day) != day) spending.today = {};
  spending.today += spent;
  spending.in_conversation[room.live.id] += spent;
  room.log.put(SpentOn{.day = day, .conversation = room.live.id, .spent = std::move(spent)});
}

std::vector<Reason> Hub::Implementation::reached_in(const std::string& conversation) {
  const auto known = spending.in_conversation.find(conversation);
  const bool is_today = spending.day == local_day(settings.wall_clock());
  return reached(spending.limits, is_today ? spending.today : Spent{},
                 known == spending.in_conversation.end() ? Spent{} : known->second);
}

Task<Result<bool>> Hub::Implementation::may_begin(std::shared_ptr<Room> room, Prompt& prompt) {
  // The limit held this prompt before a restart: its agent has never received the text.
  if (prompt.resume && prompt.resume->ask.kind == AskKind::limit) {
    PARLANCE_CO_TRY(said, co_await newest_message(store, room->live.id, room->shown.last_seq));
    if (!said.turn.empty())
      prompt = {.text = std::move(said.text),
                .options = std::move(prompt.options),
                .attachments = std::move(said.attachments).value_or(std::vector<AttachmentInfo>{}),
                .context = std::move(said.context).value_or(std::vector<PromptContext>{})};
  }
  PARLANCE_CO_TRY_DO(co_await load_spent_today());
  const std::vector<Reason> limits = reached_in(room->live.id);
  if (limits.empty()) co_return true;
  scope.start(let_go_on_tomorrow());
  PARLANCE_CO_TRY(answer, co_await room->turn->ask(ask_to_go_on(limits)));
  co_return answer.allowed();
}

void Hub::Implementation::let_go_on() {
  std::vector<std::shared_ptr<PendingAsk>> held;
  for (const auto& [id, one] : pending)
    if (one->ask.kind == AskKind::limit && !one->settling && reached_in(one->ask.conversation).empty()) held.push_back(one);
  for (const auto& one : held)
    settle(*one, AskState::answered, {.option = std::string(go_on_once), .kind = OptionKind::allow_once, .by = "limit"});
}

Task<void> Hub::Implementation::let_go_on_tomorrow() {
  const std::string day = local_day(settings.wall_clock());
  while (local_day(settings.wall_clock()) == day) {
    co_await sleep_for(loop, look_for_tomorrow);
    if (std::ranges::none_of(pending, [](const auto& one) { return one.second->ask.kind == AskKind::limit; })) co_return;
  }
  let_go_on();
}

// ---- interface for frontends ---------------------------------------------------------------------------------------------

Task<Result<SpendingReport>> Hub::spent(std::string since) const {
  PARLANCE_CO_TRY(rows, co_await implementation_->store.spent(std::move(since)));
  co_return SpendingReport{.today = local_day(implementation_->settings.wall_clock()),
                           .limits = implementation_->spending.limits,
                           .rows = std::move(rows)};
}

Task<Result<void>> Hub::set_spending_limits(SpendingLimits limits, CallerPtr by) {
  PARLANCE_CO_TRY_DO(check_limits(limits));
  Commit change{.limits = limits};
  if (implementation_->shared != nullptr)
    change.audit.push_back({.what = std::string(audit::limits_set), .user = by->user, .by = by->name});
  PARLANCE_CO_TRY_DO(co_await implementation_->store.commit(std::move(change)));
  implementation_->spending.limits = std::move(limits);
  implementation_->let_go_on();
  co_return Result<void>{};
}

}  // namespace parlance::hub
