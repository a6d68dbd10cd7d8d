// SPDX-License-Identifier: Apache-2.0
// What models have used, and how much of it a person lets them use: sums of event::Usage, and limits on them. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parlance/base/clock.h"
#include "parlance/base/result.h"
#include "parlance/hub/conversation/event.h"

namespace parlance::hub {

struct Spent {
  std::uint64_t turns = 0;         // that an agent ended
  std::uint64_t untold_turns = 0;  // … without a word of what they used
  std::uint64_t input_tokens = 0;  // all that was read, the cache's part too
  std::uint64_t output_tokens = 0;
  std::uint64_t cache_read_tokens = 0;  // of the input
  std::vector<Cost> costs{};            // one for each currency, by its name; money is never converted

  std::uint64_t tokens() const;  // read and written
  double cost_in(const std::string& currency) const;
  bool empty() const { return turns == 0 && tokens() == 0 && costs.empty(); }
  Spent& operator+=(const Spent& more);  // what would not fit into a number stays at the most that does
  friend bool operator==(const Spent&, const Spent&) = default;
};

// What one event adds. An amount that is no amount of money counts as none, and a currency that is no code (ISO 4217) as XXX.
Spent spent_in(const event::Usage& usage);

// The sum of one conversation on one day; of conversations that are deleted, too: what was paid is paid.
struct SpentOn {
  std::string day{};  // "2026-03-09", of the place where the hub runs
  std::string conversation{};
  Spent spent{};
  friend bool operator==(const SpentOn&, const SpentOn&) = default;
};

// The day on which people at this machine are at that time.
std::string local_day(WallTime time);

// Absent: no limit.
struct SpendingLimits {
  std::optional<std::uint64_t> day_tokens{};
  std::optional<Cost> day_cost{};
  std::optional<std::uint64_t> conversation_tokens{};  // from its beginning
  std::optional<Cost> conversation_cost{};
  friend bool operator==(const SpendingLimits&, const SpendingLimits&) = default;
};

// "12,300 tokens", "0.81 USD".
std::string amount_in_words(std::uint64_t tokens);
std::string amount_in_words(const Cost& cost);

// Errors: invalid_params (not an amount above nothing, not a code of a currency).
Result<void> check_limits(const SpendingLimits& limits);

// The limits that are reached, in words, one sentence each; empty: none is.
std::vector<std::string> reached(const SpendingLimits& limits, const Spent& today, const Spent& in_conversation);

}  // namespace parlance::hub
