// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/runtime/spending.h"

#include <utility>

namespace parlance::hub {

Task<Result<void>> Spending::load(SpendingLimits stored) {
  limits_ = std::move(stored);
  day_ = day();
  PARLANCE_CO_TRY(rows, co_await core_.store.spent(""));
  for (const SpentOn& row : rows) {
    if (row.day == day_) today_ += row.spent;
    if (runtimes_.contains(row.conversation)) in_conversation_[row.conversation] += row.spent;
  }
  co_return Result<void>{};
}

Task<Result<void>> Spending::load_today() {
  if (core_.shared == nullptr || (!limits_.day_tokens && !limits_.day_cost)) co_return Result<void>{};
  const std::string now = day();
  PARLANCE_CO_TRY(rows, co_await core_.store.spent(now));
  day_ = now;
  today_ = {};
  for (const SpentOn& row : rows)
    if (row.day == now) today_ += row.spent;
  co_return Result<void>{};
}

Task<Result<void>> Spending::load_in(std::string conversation) {
  PARLANCE_CO_TRY(sum, co_await core_.shared->spent_in(conversation));
  in_conversation_.insert_or_assign(std::move(conversation), std::move(sum));
  co_return Result<void>{};
}

void Spending::count(ConversationRuntime& runtime, Spent spent) {
  if (spent.empty()) return;
  const std::string now = day();
  if (std::exchange(day_, now) != now) today_ = {};
  today_ += spent;
  in_conversation_[runtime.current.id] += spent;
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
