// SPDX-License-Identifier: Apache-2.0
// parlance usage: what models used and cost, by day and by conversation, and the limits on it. Reads what the hub keeps, also while it
// runs. Blocks; main thread.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "parlance/base/visible_text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/protocol/page/usage_messages.h"
#include "parlance/store/hub/hub_usage.h"
#include "parlance/store/hub_pg/reader.h"
#include "parlance/wire_form/spending_tables.h"

namespace parlance::app {
namespace {

constexpr std::size_t shown_days = 31;
constexpr std::size_t shown_conversations = 50;  // the conversations with the largest use; --json prints all
constexpr std::string_view gone = "conversations that are deleted";

struct Sum {
  std::string name;
  hub::Spent spent{};
};

Result<store::Usage> usage_of(const Settings& settings, const std::string& since) {
  const std::string& address = settings.text("store");
  if (address.empty()) return store::read_usage(state_folder(settings), since);
  const pg::Interrupt never_raised;
  store::Reader reader({.address = address, .name = "parlance usage"}, never_raised);
  PARLANCE_TRY(loaded, reader.load());
  PARLANCE_TRY(spent, reader.spent(since));
  return store::Usage{.spent = std::move(spent),
                      .limits = std::move(loaded.stored.limits),
                      .titles = store::titles_of(loaded.stored.conversations)};
}

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

// The name is the last column, because its width varies.
void print_sums(const char* heading, const std::vector<Sum>& sums, std::size_t most) {
  std::printf("\n%s\n", heading);
  const std::size_t shown = std::min(most, sums.size());
  int turns = 0;
  int costs = 0;
  for (const Sum& sum : std::span(sums).first(shown)) {
    turns = std::max(turns, static_cast<int>(turns_of(sum.spent).size()));
    costs = std::max(costs, static_cast<int>(costs_of(sum.spent).size()));
  }
  for (const Sum& sum : std::span(sums).first(shown))
    std::printf("  %20s  %*s  %*s  %s\n", hub::amount_in_words(sum.spent.tokens()).c_str(), turns, turns_of(sum.spent).c_str(),
                costs, costs_of(sum.spent).c_str(), visible_line(sum.name).c_str());
  if (shown < sums.size()) std::printf("  … and %zu more: parlance usage --json has all\n", sums.size() - shown);
}

void print_limits(const hub::SpendingLimits& limits) {
  const auto line = [](const auto& limit, const char* of) {
    if (limit) std::printf("  %s %s\n", hub::amount_in_words(*limit).c_str(), of);
  };
  if (limits == hub::SpendingLimits{}) {
    std::puts("\nNo limits: \"Usage\" on the page sets them.");
    return;
  }
  std::puts("\nLimits");
  line(limits.day_tokens, "a day");
  line(limits.day_cost, "a day");
  line(limits.conversation_tokens, "for a conversation");
  line(limits.conversation_cost, "for a conversation");
}

void print_usage(const store::Usage& usage, const std::string& today) {
  hub::Spent spent_today;
  for (const hub::SpentOn& row : usage.spent)
    if (row.day == today) spent_today += row.spent;
  std::printf("Today, %s: %s, %s of them from the cache; %s; %s\n", today.c_str(),
              hub::amount_in_words(spent_today.tokens()).c_str(), std::to_string(spent_today.cache_read_tokens).c_str(),
              costs_of(spent_today).c_str(), turns_of(spent_today).c_str());
  std::vector<Sum> days = sums_by(usage.spent, [](const hub::SpentOn& row) { return row.day; });
  std::ranges::reverse(days);
  print_sums("By day", days, shown_days);
  std::vector<Sum> conversations = sums_by(
      usage.spent, [&](const hub::SpentOn& row) { return usage.titles.contains(row.conversation) ? row.conversation : ""; });
  std::ranges::sort(conversations, std::ranges::greater(), [](const Sum& sum) { return sum.spent.tokens(); });
  for (Sum& sum : conversations) {
    const auto title = usage.titles.find(sum.name);
    if (title == usage.titles.end()) sum.name = gone;
    else if (!title->second.empty()) sum.name = title->second + "  (" + sum.name + ")";
  }
  print_sums("By conversation", conversations, shown_conversations);
  print_limits(usage.limits);
}

int print_json_of(const store::Usage& usage, const std::string& today) {
  page::UsageValue value{.today = today, .limits = {.json = json::to_text(usage.limits)}};
  for (const hub::SpentOn& row : usage.spent) value.spent.push_back({.json = json::to_text(row)});
  std::printf("%s\n", visible_json(json::to_text(value)).c_str());
  return ExitCode::done;
}

}  // namespace

Action declare_usage(CLI::App& app) {
  struct Wanted {
    std::string since;
    bool json = false;
  };
  auto wanted = std::make_shared<Wanted>();
  app.add_option("--since", wanted->since, "A day, 2026-03-09; from the beginning if not given.")
      ->type_name("DAY")
      ->check([](const std::string& day) { return from_rfc3339(day + "T00:00:00Z") ? "" : "a day is written 2026-03-09"; });
  app.add_flag("--json", wanted->json, "For programs: one JSON document, as the page gets it.");
  return [wanted](const Settings& settings, const Words&) {
    const auto usage = usage_of(settings, wanted->since);
    if (!usage) return complain(usage.error());
    const std::string today = hub::local_day(wall_now());
    if (wanted->json) return print_json_of(*usage, today);
    if (usage->spent.empty()) std::puts("No usage was reported by an agent.");
    else print_usage(*usage, today);
    return static_cast<int>(ExitCode::done);
  };
}

}  // namespace parlance::app
