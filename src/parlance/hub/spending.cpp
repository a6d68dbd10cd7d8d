// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/spending.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/hub/implementation.h"
#include "parlance/hub/log/left_open.h"

namespace parlance::hub {
namespace {

constexpr auto look_for_tomorrow = std::chrono::minutes(1);  // while a turn is held; clocks change and machines sleep
constexpr std::string_view go_on_once = "once";
constexpr std::string_view stop_here = "stop";

// Of several limits_, the first is the reason by id.
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

Task<Result<void>> Spending::load(SpendingLimits stored) {
  limits_ = std::move(stored);
  day_ = local_day(hub_.settings.wall_clock());
  PARLANCE_CO_TRY(rows, co_await hub_.store.spent(""));
  for (const SpentOn& one : rows) {
    if (one.day == day_) today_ += one.spent;
    if (hub_.rooms.contains(one.conversation)) in_conversation_[one.conversation] += one.spent;
  }
  co_return Result<void>{};
}

Task<Result<void>> Spending::load_today() {
  if (hub_.shared == nullptr || (!limits_.day_tokens && !limits_.day_cost)) co_return Result<void>{};
  const std::string day = local_day(hub_.settings.wall_clock());
  PARLANCE_CO_TRY(rows, co_await hub_.store.spent(day));
  day_ = day;
  today_ = {};
  for (const SpentOn& one : rows)
    if (one.day == day) today_ += one.spent;
  co_return Result<void>{};
}

Task<Result<void>> Spending::load_in(std::string conversation) {
  PARLANCE_CO_TRY(sum, co_await hub_.shared->spent_in(conversation));
  in_conversation_.insert_or_assign(std::move(conversation), std::move(sum));
  co_return Result<void>{};
}

void Spending::count(Room& room, Spent spent) {
  if (spent.empty()) return;
  const std::string day = local_day(hub_.settings.wall_clock());
  if (std::exchange(day_, day) != day) today_ = {};
  today_ += spent;
  in_conversation_[room.live.id] += spent;
  room.log.put(SpentOn{.day = day, .conversation = room.live.id, .spent = std::move(spent)});
}

void Spending::forget(std::string_view conversation) {
  if (const auto known = in_conversation_.find(conversation); known != in_conversation_.end()) in_conversation_.erase(known);
}

Spent Spending::today() const { return day_ == local_day(hub_.settings.wall_clock()) ? today_ : Spent{}; }

std::vector<Reason> Spending::reached_in(const std::string& conversation) const {
  const auto known = in_conversation_.find(conversation);
  return reached(limits_, today(), known == in_conversation_.end() ? Spent{} : known->second);
}

Task<Result<bool>> Spending::may_begin(std::shared_ptr<Room> room, Prompt& prompt) {
  // The limit held this prompt before a restart: its agent has never received the text.
  if (prompt.resume && prompt.resume->ask.kind == AskKind::limit) {
    PARLANCE_CO_TRY(said, co_await newest_message(hub_.store, room->live.id, room->shown.last_seq));
    if (!said.turn.empty())
      prompt = {.text = std::move(said.text),
                .options = std::move(prompt.options),
                .attachments = std::move(said.attachments).value_or(std::vector<AttachmentInfo>{}),
                .context = std::move(said.context).value_or(std::vector<PromptContext>{})};
  }
  PARLANCE_CO_TRY_DO(co_await load_today());
  const std::vector<Reason> limits = reached_in(room->live.id);
  if (limits.empty()) co_return true;
  hub_.scope.start(let_go_on_tomorrow());
  PARLANCE_CO_TRY(answer, co_await room->turn->ask(ask_to_go_on(limits)));
  co_return answer.allowed();
}

void Spending::set_limits(SpendingLimits now) {
  limits_ = std::move(now);
  let_go_on();
}

void Spending::let_go_on() {
  std::vector<std::shared_ptr<PendingAsk>> held;
  for (const auto& [id, one] : hub_.requests.pending)
    if (one->ask.kind == AskKind::limit && !one->settling && reached_in(one->ask.conversation).empty()) held.push_back(one);
  for (const auto& one : held)
    hub_.requests.settle(*one, AskState::answered,
                         {.option = std::string(go_on_once), .kind = OptionKind::allow_once, .by = "limit"});
}

Task<void> Spending::let_go_on_tomorrow() {
  const std::string day = local_day(hub_.settings.wall_clock());
  while (local_day(hub_.settings.wall_clock()) == day) {
    co_await sleep_for(hub_.loop, look_for_tomorrow);
    if (std::ranges::none_of(hub_.requests.pending, [](const auto& one) { return one.second->ask.kind == AskKind::limit; }))
      co_return;
  }
  let_go_on();
}

// ---- interface for frontends ---------------------------------------------------------------------------------------------

}  // namespace parlance::hub
