// SPDX-License-Identifier: Apache-2.0
// Use of models and its limits: sums of event::Usage, compared with a person's limits. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/hub/conversation/reason.h"
#include "parlance/hub/conversation/usage.h"

namespace parlance::hub {

// Sums of use. Use without a report counts as 0.
struct Spent {
  std::uint64_t turns = 0;             // ended by an agent
  std::uint64_t unreported_turns = 0;  // part of `turns`: without a usage report
  std::uint64_t input_tokens = 0;      // all input, cached tokens included
  std::uint64_t output_tokens = 0;
  std::uint64_t cache_read_tokens = 0;  // part of the input
  std::vector<Cost> costs{};            // an entry per currency, sorted by name; never converted

  std::uint64_t tokens() const;  // input and output
  // 0: no use in this currency.
  double cost_in(const std::string& currency) const;
  // No use and no turn: nothing to store.
  bool empty() const { return turns == 0 && tokens() == 0 && costs.empty(); }
  Spent& operator+=(const Spent& more);  // saturates at the largest value
  friend bool operator==(const Spent&, const Spent&) = default;
};

// The share of an event. An invalid amount counts as 0, and a currency without an ISO 4217 code as XXX.
Spent spent_in(const event::Usage& usage);

// The sum of a conversation on a day; deleted conversations stay included, because their cost was paid.
struct SpentOn {
  std::string day{};  // "2026-03-09", in the hub's time zone
  std::string conversation{};
  Spent spent{};
  friend bool operator==(const SpentOn&, const SpentOn&) = default;
};

// The local day of this machine at that time.
std::string local_day(WallTime time);

// Absent: no limit.
struct SpendingLimits {
  std::optional<std::uint64_t> day_tokens{};
  std::optional<Cost> day_cost{};
  std::optional<std::uint64_t> conversation_tokens{};  // since its creation
  std::optional<Cost> conversation_cost{};
  friend bool operator==(const SpendingLimits&, const SpendingLimits&) = default;
};

// "12,300 tokens", "0.81 USD".
std::string amount_in_words(std::uint64_t tokens);
std::string amount_in_words(const Cost& cost);

// Errors: invalid_params (an amount of 0 or less, an invalid currency code).
Result<void> check_limits(const SpendingLimits& limits);

// The reached limits; empty: none.
std::vector<Reason> reached(const SpendingLimits& limits, const Spent& today, const Spent& in_conversation);

}  // namespace parlance::hub
