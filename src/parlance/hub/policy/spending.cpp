// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/policy/spending.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>
#include <string_view>

#include "parlance/hub/conversation/usage.h"

namespace parlance::hub {
namespace {

constexpr std::string_view no_currency = "XXX";  // ISO 4217's code for "no currency"

bool is_currency(std::string_view code) {
  return code.size() == 3 && std::ranges::all_of(code, [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool is_amount(double amount) { return std::isfinite(amount) && amount > 0; }

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t both = 0;
  return __builtin_add_overflow(a, b, &both) ? std::numeric_limits<std::uint64_t>::max() : both;
}

void add_cost(std::vector<Cost>& costs, const Cost& more) {
  const auto at = std::ranges::lower_bound(costs, more.currency, {}, &Cost::currency);
  if (at != costs.end() && at->currency == more.currency) at->amount += more.amount;
  else costs.insert(at, more);
}

}  // namespace

std::string amount_in_words(std::uint64_t tokens) {
  std::string digits = std::to_string(tokens);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits + (tokens == 1 ? " token" : " tokens");
}

std::string amount_in_words(const Cost& cost) {
  std::array<char, 64> amount{};
  std::snprintf(amount.data(), amount.size(), "%.2f ", cost.amount);
  return amount.data() + cost.currency;
}

std::uint64_t Spent::tokens() const { return sum(input_tokens, output_tokens); }

double Spent::cost_in(const std::string& currency) const {
  const auto found = std::ranges::find(costs, currency, &Cost::currency);
  return found == costs.end() ? 0 : found->amount;
}

Spent& Spent::operator+=(const Spent& more) {
  turns = sum(turns, more.turns);
  unreported_turns = sum(unreported_turns, more.unreported_turns);
  input_tokens = sum(input_tokens, more.input_tokens);
  output_tokens = sum(output_tokens, more.output_tokens);
  cache_read_tokens = sum(cache_read_tokens, more.cache_read_tokens);
  for (const Cost& cost : more.costs) add_cost(costs, cost);
  return *this;
}

Spent spent_in(const event::Usage& usage) {
  Spent spent{.input_tokens = usage.input_tokens,
              .output_tokens = usage.output_tokens,
              .cache_read_tokens = usage.cache_read_tokens.value_or(0)};
  if (usage.cost && is_amount(usage.cost->amount))
    spent.costs.push_back({.amount = usage.cost->amount,
                           .currency = is_currency(usage.cost->currency) ? usage.cost->currency : std::string(no_currency)});
  return spent;
}

std::string local_day(WallTime time) {
  const std::time_t seconds =
      std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::system_clock::duration>(time));
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  std::array<char, 16> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d", &parts);
  return {text.data(), size};
}

Result<void> check_limits(const SpendingLimits& limits) {
  for (const auto& tokens : {limits.day_tokens, limits.conversation_tokens})
    if (tokens && *tokens == 0)
      return fail(Errc::invalid_params, "a limit of no tokens would let nothing run; leave it out for none");
  for (const auto& cost : {limits.day_cost, limits.conversation_cost}) {
    if (!cost) continue;
    if (!is_amount(cost->amount)) return fail(Errc::invalid_params, "a limit of costs is an amount above 0");
    if (!is_currency(cost->currency))
      return fail(Errc::invalid_params,
                  "a currency has three capital letters, such as USD; this is no such code: " + cost->currency);
  }
  return {};
}

std::vector<Reason> reached(const SpendingLimits& limits, const Spent& today, const Spent& in_conversation) {
  std::vector<Reason> found;
  const auto add = [&](ReasonId id, const auto& limit, const auto& used) {
    found.emplace_back(id, std::vector{amount_in_words(limit), amount_in_words(used)});
  };
  const auto look_at_tokens = [&](const std::optional<std::uint64_t>& limit, ReasonId id, const Spent& spent) {
    if (limit && spent.tokens() >= *limit) add(id, *limit, spent.tokens());
  };
  const auto look_at_cost = [&](const std::optional<Cost>& limit, ReasonId id, const Spent& spent) {
    if (!limit) return;
    const Cost used{.amount = spent.cost_in(limit->currency), .currency = limit->currency};
    if (used.amount >= limit->amount) add(id, *limit, used);
  };
  look_at_tokens(limits.day_tokens, ReasonId::limit_of_day, today);
  look_at_cost(limits.day_cost, ReasonId::limit_of_day, today);
  look_at_tokens(limits.conversation_tokens, ReasonId::limit_of_conversation, in_conversation);
  look_at_cost(limits.conversation_cost, ReasonId::limit_of_conversation, in_conversation);
  return found;
}

}  // namespace parlance::hub
