// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/usage_report.h"

#include <algorithm>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "parlance/base/visible_text.h"

namespace parlance::app {
namespace {

constexpr std::size_t shown_days = 31;
constexpr std::size_t shown_conversations = 50;  // the conversations with the largest use; --json prints all
constexpr std::size_t tokens_width = 20;
constexpr const char* gone = "conversations that are deleted";

struct Sum {
  std::string name;
  hub::Spent spent{};
};

template <class Name>
std::vector<Sum> sums_by(const std::vector<hub::SpentOn>& rows, Name name_of) {
  std::map<std::string, hub::Spent> sums;
  for (const hub::SpentOn& row : rows) sums[name_of(row)] += row.spent;
  std::vector<Sum> list;
  for (auto& [name, spent] : sums) list.push_back({.name = name, .spent = std::move(spent)});
  return list;
}

std::string costs_of(const hub::Spent& spent) {
  std::string all;
  for (const hub::Cost& cost : spent.costs) all += (all.empty() ? "" : " + ") + hub::amount_in_words(cost);
  return all.empty() ? "-" : all;
}

std::string turns_of(const hub::Spent& spent) {
  const std::string turns = std::to_string(spent.turns) + (spent.turns == 1 ? " turn" : " turns");
  return spent.unreported_turns == 0 ? turns : turns + " (" + std::to_string(spent.unreported_turns) + " untold)";
}

std::string to_the_right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text + "  ";
}

// The name is the last column, because its width varies.
std::string sums_text(const std::string& heading, const std::vector<Sum>& sums, std::size_t most) {
  const std::span shown = std::span(sums).first(std::min(most, sums.size()));
  std::size_t turns = 0;
  std::size_t costs = 0;
  for (const Sum& sum : shown) {
    turns = std::max(turns, turns_of(sum.spent).size());
    costs = std::max(costs, costs_of(sum.spent).size());
  }
  std::string text = "\n\n" + heading;
  for (const Sum& sum : shown)
    text += "\n  " + to_the_right(hub::amount_in_words(sum.spent.tokens()), tokens_width) +
            to_the_right(turns_of(sum.spent), turns) + to_the_right(costs_of(sum.spent), costs) + visible_line(sum.name);
  if (shown.size() < sums.size())
    text += "\n  … and " + std::to_string(sums.size() - shown.size()) + " more: parlance usage --json has all";
  return text;
}

}  // namespace

std::string limits_text(const hub::SpendingLimits& limits) {
  std::string text = "Limits";
  const auto add = [&](const auto& limit, const char* of) {
    if (limit) text += "\n  " + hub::amount_in_words(*limit) + " " + of;
  };
  add(limits.day_tokens, "a day");
  add(limits.day_cost, "a day");
  add(limits.conversation_tokens, "for a conversation");
  add(limits.conversation_cost, "for a conversation");
  return limits == hub::SpendingLimits{} ? "No limits: \"Usage\" on the page and /limit in a chat set them." : text;
}

std::string usage_text(const hub::SpendingReport& report, const Titles& titles) {
  if (report.rows.empty()) return "No usage was reported by an agent.";
  hub::Spent today;
  for (const hub::SpentOn& row : report.rows)
    if (row.day == report.today) today += row.spent;
  std::vector<Sum> days = sums_by(report.rows, [](const hub::SpentOn& row) { return row.day; });
  std::ranges::reverse(days);
  std::vector<Sum> conversations =
      sums_by(report.rows, [&](const hub::SpentOn& row) { return titles.contains(row.conversation) ? row.conversation : ""; });
  std::ranges::sort(conversations, std::ranges::greater(), [](const Sum& sum) { return sum.spent.tokens(); });
  for (Sum& sum : conversations) {
    const auto title = titles.find(sum.name);
    if (title == titles.end()) sum.name = gone;
    else if (!title->second.empty()) sum.name = title->second + "  (" + sum.name + ")";
  }
  return "Today, " + report.today + ": " + hub::amount_in_words(today.tokens()) + ", " + std::to_string(today.cache_read_tokens) +
         " of them from the cache; " + costs_of(today) + "; " + turns_of(today) + sums_text("By day", days, shown_days) +
         sums_text("By conversation", conversations, shown_conversations) + "\n\n" + limits_text(report.limits);
}

}  // namespace parlance::app
