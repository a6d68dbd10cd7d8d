// SPDX-License-Identifier: Apache-2.0
// What a page asks about what models used, and the limits that it sets. Any thread.
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
      fields(field<&UsageValue::today>("today", "The day of the host, as in `spent`."),
             field<&UsageValue::spent>("spent", "By day and conversation, the oldest day first.").holding("SpentOn"),
             field<&UsageValue::limits>("limits", "What may be used before turns are held back.").holding("SpendingLimits"));
};
struct GetUsage {
  static constexpr std::string_view tag = "usage";
  using Value = UsageValue;
  std::string request{};
  std::optional<std::string> since{};
  static constexpr auto wire = fields(field<&GetUsage::request>("request", request_doc::request),
                                      field<&GetUsage::since>("since", "A day, 2026-03-09; absent: from the beginning."));
};

struct Money {
  double amount = 0;
  std::string currency{};
  static constexpr auto wire =
      fields(field<&Money::amount>("amount", "Above 0."), field<&Money::currency>("currency", "ISO 4217: USD, …"));
};
struct SetLimits {
  static constexpr std::string_view tag = "set_limits";
  using Value = Nothing;
  std::string request{};
  std::optional<std::uint64_t> day_tokens{};
  std::optional<Money> day_cost{};
  std::optional<std::uint64_t> conversation_tokens{};
  std::optional<Money> conversation_cost{};
  static constexpr auto wire =
      fields(field<&SetLimits::request>("request", request_doc::request),
             field<&SetLimits::day_tokens>("day_tokens", "Read and written by all models in a day; absent: no limit."),
             field<&SetLimits::day_cost>("day_cost", "What they cost in a day; only this currency counts."),
             field<&SetLimits::conversation_tokens>("conversation_tokens", "Of one conversation, from its beginning."),
             field<&SetLimits::conversation_cost>("conversation_cost", "The same as money."));
};

}  // namespace parlance::page
