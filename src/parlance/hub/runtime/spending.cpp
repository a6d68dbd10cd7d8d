// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/spending.h"

#include <utility>

namespace parlance::hub {

Task<Result<void>> Spending::load(SpendingLimits stored) {
  limits_ = std::move(stored);
  return load_today();
}

Task<Result<void>> Spending::load_today() {
  const std::string now = day();
  PARLANCE_CO_TRY(rows, co_await core_.store.spent(now));
  day_ = now;
  today_ = {};
  for (const SpentOn& row : rows)
    if (row.day == now) today_ += row.spent;
  co_return Result<void>{};
}

Task<Result<void>> Spending::load_for(const ConversationRuntime& runtime) {
  if (core_.shared != nullptr && (limits_.day_tokens || limits_.day_cost)) PARLANCE_CO_TRY_DO(co_await load_today());
  const std::string id = runtime.current.id;
  if (in_conversation_.contains(id) || (!limits_.conversation_tokens && !limits_.conversation_cost)) co_return Result<void>{};
  PARLANCE_CO_TRY(sum, co_await core_.store.spent_in(id));
  in_conversation_.try_emplace(id, std::move(sum));
  co_return Result<void>{};
}

void Spending::count(ConversationRuntime& runtime, Spent spent) {
  if (spent.empty()) return;
  const std::string now = day();
  if (std::exchange(day_, now) != now) today_ = {};
  today_ += spent;
  if (const auto known = in_conversation_.find(runtime.current.id); known != in_conversation_.end()) known->second += spent;
  runtime.log.put(SpentOn{.day = now, .conversation = runtime.current.id, .spent = std::move(spent)});
}

void Spending::forget(std::string_view conversation) {
  if (const auto known = in_conversation_.find(conversation); known != in_conversation_.end()) in_conversation_.erase(known);
}

Spent Spending::today() const { return day_ == day() ? today_ : Spent{}; }

std::vector<Reason> Spending::reached_in(const std::string& conversation) const {
  const auto known = in_conversation_.find(conversation);
  return reached(limits_, today(), known == in_conversation_.end() ? Spent{} : known->second);
}

}  // namespace parlance::hub
