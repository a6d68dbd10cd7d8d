// SPDX-License-Identifier: Apache-2.0
// parlance store adopt: prepares a restored database for use by gateways. Blocks; main thread.
#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "parlance/pg/address.h"
#include "parlance/store/hub_pg/adoption.h"

namespace parlance::app {
namespace {

Result<void> refuse_while_gateways_live(pg::Connection& connection, const pg::Interrupt& interrupt) {
  std::fputs("Looks whether a gateway works with this database …\n", stderr);
  PARLANCE_TRY(living, store::renewing_hubs(connection, interrupt));
  if (living.empty()) return {};
  std::string names;
  for (const std::string& id : living) names += (names.empty() ? "" : ", ") + id;
  return fail(Errc::failed, "gateways work with this database (" + names +
                                "): stop them first. With --force their running turns are lost, and they end and restart");
}

Result<store::Adopted> adopt_at(const std::string& address, bool force) {
  if (address.empty())
    return fail(Errc::invalid_params,
                "no store is named: set PARLANCE_STORE to the address of the restored database, or give --store");
  const pg::Interrupt never_raised;
  auto connection = pg::Connection::open({.address = address, .name = "parlance store adopt"}, never_raised);
  if (!connection) return std::unexpected(pg::error_of(connection.error()).in(pg::without_password(address)));
  if (!force) PARLANCE_TRY_DO(refuse_while_gateways_live(**connection, never_raised));
  return store::adopt(**connection);
}

}  // namespace

Action declare_store_adopt(CLI::App& app) {
  auto force = std::make_shared<bool>(false);
  app.add_flag("--force", *force,
               "Also while gateways use the database: their running turns are lost, and they end and restart.");
  return [force](const Settings& settings, const Words&) {
    const auto adopted = adopt_at(settings.text("store"), *force);
    if (!adopted) return complain_of_use(adopted.error(), ExitCode::failed);
    std::printf("Adopted %zu conversations: %zu had an owner, %zu earlier gateways are dead now. Gateways can start.\n",
                adopted->conversations, adopted->freed, adopted->hubs);
    return static_cast<int>(ExitCode::done);
  };
}

}  // namespace parlance::app
