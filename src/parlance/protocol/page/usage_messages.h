// SPDX-License-Identifier: Apache-2.0
// Requests of a page about the usage of models and its limits. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/protocol/page/values.h"
#include "parlance/wire/call.h"

namespace parlance::page {

struct UsageValue {
  std::string today{};
  std::vector<wire::Raw> spent{};
  wire::Raw limits{};
  static constexpr auto wire =
      fields(field<&UsageValue::today>("today", "Present day of the gateway, as in `spent`."),
             field<&UsageValue::spent>("spent", "Use by day and conversation, oldest day first.").holding("SpentOn"),
             field<&UsageValue::limits>("limits", "Limits of use. A reached limit holds turns back.").holding("SpendingLimits"));
};
struct GetUsage {
  static constexpr std::string_view tag = "usage";
  using Value = UsageValue;
  std::string request{};
  std::optional<std::string> since{};
  static constexpr auto wire =
      fields(field<&GetUsage::request>("request", request_doc::request),
             field<&GetUsage::since>("since", "First day to return, such as 2026-03-09. Absent: all days."));
};

struct Money {
  double amount = 0;
  std::string currency{};
  static constexpr auto wire = fields(field<&Money::amount>("amount", "Amount of money, above 0."),
                                      field<&Money::currency>("currency", "Currency code of ISO 4217, such as USD."));
};
struct SetLimits {
  static constexpr std::string_view tag = "set_limits";
  using Value = Nothing;
  std::string request{};
  std::optional<std::uint64_t> day_tokens{};
  std::optional<Money> day_cost{};
  std::optional<std::uint64_t> conversation_tokens{};
  std::optional<Money> conversation_cost{};
  static constexpr auto wire = fields(
      field<&SetLimits::request>("request", request_doc::request),
      field<&SetLimits::day_tokens>("day_tokens", "Limit of input and output tokens of all models in a day. Absent: no limit."),
      field<&SetLimits::day_cost>("day_cost", "Limit of costs in a day. Only costs in this currency count."),
      field<&SetLimits::conversation_tokens>("conversation_tokens",
                                             "Limit of tokens for a conversation since its start. Absent: no limit."),
      field<&SetLimits::conversation_cost>(
          "conversation_cost", "Limit of costs for a conversation since its start. Only costs in this currency count."));
};

}  // namespace parlance::page
