// SPDX-License-Identifier: Apache-2.0
// What is used of models, and that no turn begins once as much was used as a person allows.
#include <algorithm>
#include <chrono>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/hub/hub.h"
#include "parlance/hub/log/left_open.h"
#include "parlance/hub/running_turn.h"

namespace parlance::hub {
namespace {

constexpr auto look_for_tomorrow = std::chrono::minutes(1);  // while a turn is held back; clocks are set and machines sleep
constexpr std::string_view go_on_once = "once";
constexpr std::string_view stop_here = "stop";

AskRequest ask_to_go_on(const std::vector<std::string>& limits) {
  std::string why;
  for (const std::string& one : limits) why += one + ". ";
  why += "The agent has not been given the message yet. It goes on by itself once the limit is raised, or a new day begins";
  return {.kind = AskKind::limit,
          .title = limits.size() == 1 ? "As much was used as is allowed" : "As much was used as two or more limits allow",
          .why = std::move(why),
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
  const std::string day = hub.today();
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

std::vector<std::string> Hub::Implementation::reached_in(const std::string& conversation) {
  const auto known = spending.in_conversation.find(conversation);
  return reached(spending.limits, hub.spent_today(), known == spending.in_conversation.end() ? Spent{} : known->second);
}

Task<Result<bool>> Hub::Implementation::may_begin(std::shared_ptr<Room> room, Prompt& prompt) {
  // Held back before the program ended: its agent has never seen the words.
  if (prompt.resume && prompt.resume->ask.kind == AskKind::limit) {
    PARLANCE_CO_TRY(said, co_await newest_message(store, room->live.id, room->shown.last_seq));
    if (!said.turn.empty())
      prompt = {.text = std::move(said.text),
                .options = std::move(prompt.options),
                .attachments = std::move(said.attachments).value_or(std::vector<AttachmentInfo>{}),
                .context = std::move(said.context).value_or(std::vector<PromptContext>{})};
  }
  PARLANCE_CO_TRY_DO(co_await load_spent_today());
  const std::vector<std::string> limits = reached_in(room->live.id);
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
  const std::string day = hub.today();
  while (hub.today() == day) {
    co_await sleep_for(loop, look_for_tomorrow);
    if (std::ranges::none_of(pending, [](const auto& one) { return one.second->ask.kind == AskKind::limit; })) co_return;
  }
  let_go_on();
}

// ---- what faces call -----------------------------------------------------------------------------------------------------

Task<Result<std::vector<SpentOn>>> Hub::spent(std::string since) const { return implementation_->store.spent(std::move(since)); }

std::string Hub::today() const { return local_day(implementation_->settings.wall_clock()); }

Spent Hub::spent_today() const {
  const Spending& spending = implementation_->spending;
  return spending.day == today() ? spending.today : Spent{};
}

const SpendingLimits& Hub::spending_limits() const { return implementation_->spending.limits; }

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
