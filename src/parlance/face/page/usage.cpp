// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/page/usage.h"

#include <optional>
#include <utility>

#include "parlance/codec/json/typed.h"
#include "parlance/hub/user_hub.h"
#include "parlance/wire_form/spending_tables.h"

namespace parlance::face {
namespace {

std::optional<hub::Cost> to_cost(std::optional<page::Money> money) {
  if (!money) return std::nullopt;
  return hub::Cost{.amount = money->amount, .currency = std::move(money->currency)};
}

}  // namespace

auto PageUsage::perform(page::GetUsage& m, hub::UserHub& hub) -> Answered<page::GetUsage> {
  PARLANCE_CO_TRY(report, co_await hub.spent(std::move(m.since).value_or("")));
  page::UsageValue value{.today = std::move(report.today), .limits = {.json = json::to_text(report.limits)}};
  for (const hub::SpentOn& row : report.rows) value.spent.push_back({.json = json::to_text(row)});
  co_return value;
}

auto PageUsage::perform(page::SetLimits& m, hub::UserHub& hub) -> Answered<page::SetLimits> {
  PARLANCE_CO_TRY_DO(co_await hub.set_spending_limits({.day_tokens = m.day_tokens,
                                                       .day_cost = to_cost(std::move(m.day_cost)),
                                                       .conversation_tokens = m.conversation_tokens,
                                                       .conversation_cost = to_cost(std::move(m.conversation_cost))}));
  co_return wire::Nothing{};
}

}  // namespace parlance::face
