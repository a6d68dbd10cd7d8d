// SPDX-License-Identifier: Apache-2.0
// parlance usage: tokens and costs of models by day and by conversation, and their limits. Reads the hub's store, also beside a
// running hub, or asks a gateway. Blocks; main thread.
#include <cstdio>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>

#include "apps/parlance/chat/chat_folders.h"
#include "apps/parlance/commands.h"
#include "apps/parlance/remote/gateway.h"
#include "apps/parlance/usage_report.h"
#include "parlance/base/visible_text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/protocol/page/usage_messages.h"
#include "parlance/store/hub_pg/reader.h"
#include "parlance/wire_form/spending_tables.h"

namespace parlance::app {
namespace {

struct UsageFlags {
  std::string since;
  bool json = false;
  GatewayFlags gateway;
};

struct Usage {
  hub::SpendingReport report{};
  Titles titles{};
};

Result<Usage> usage_at(const Settings& settings, const UsageFlags& flags) {
  Loop loop;
  PARLANCE_TRY(gateway, Gateway::at(loop, settings, flags.gateway));
  PARLANCE_TRY_DO(loop.block_on(gateway->start()));
  PARLANCE_TRY(report, loop.block_on(gateway->remote().spent(flags.since)));
  return Usage{.report = std::move(report), .titles = gateway->titles()};
}

Result<Usage> usage_of(const Settings& settings, const UsageFlags& flags) {
  if (flags.gateway.wanted()) return usage_at(settings, flags);
  const std::string today = hub::local_day(wall_now());
  const std::string& address = settings.text("store");
  if (address.empty()) {
    PARLANCE_TRY(usage, usage_of_all(state_folder(settings), flags.since));
    return Usage{.report = {.today = today, .limits = std::move(usage.limits), .rows = std::move(usage.spent)},
                 .titles = std::move(usage.titles)};
  }
  const pg::Interrupt never_raised;
  store::Reader reader({.address = address, .name = "parlance usage"}, never_raised);
  PARLANCE_TRY(loaded, reader.load());
  PARLANCE_TRY(spent, reader.spent(flags.since));
  return Usage{.report = {.today = today, .limits = std::move(loaded.stored.limits), .rows = std::move(spent)},
               .titles = store::titles_of(loaded.stored.conversations)};
}

std::string json_of(const hub::SpendingReport& report) {
  page::UsageValue value{.today = report.today, .limits = {.json = json::to_text(report.limits)}};
  for (const hub::SpentOn& row : report.rows) value.spent.push_back({.json = json::to_text(row)});
  return visible_json(json::to_text(value));
}

}  // namespace

Action declare_usage(CLI::App& app) {
  auto wanted = std::make_shared<UsageFlags>();
  app.add_option("--since", wanted->since, "A day, 2026-03-09; from the beginning if not given.")
      ->type_name("DAY")
      ->check([](const std::string& day) { return from_rfc3339(day + "T00:00:00Z") ? "" : "a day is written 2026-03-09"; });
  app.add_flag("--json", wanted->json, "For programs: one JSON document, as the page gets it.");
  declare_gateway_flags(app, wanted->gateway, false);
  return [wanted](const Settings& settings, const Words&) {
    const auto usage = usage_of(settings, *wanted);
    if (!usage) return complain(usage.error());
    std::puts((wanted->json ? json_of(usage->report) : visible_text(usage_text(usage->report, usage->titles))).c_str());
    return static_cast<int>(ExitCode::done);
  };
}

}  // namespace parlance::app
