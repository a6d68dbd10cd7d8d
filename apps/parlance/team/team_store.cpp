// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/team/team_store.h"

#include <pwd.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace parlance::app {
namespace {

// Everybody with the database's address may run these commands. The audit names the account and the machine as reported by the
// program.
std::string account_and_machine() {
  const passwd* const account = ::getpwuid(::getuid());
  utsname machine{};
  static_cast<void>(::uname(&machine));
  return (account != nullptr ? std::string(account->pw_name) : std::to_string(::getuid())) + '@' + machine.nodename;
}

}  // namespace

Result<store::TeamRows> team_store(const Settings& settings) {
  const std::string& address = settings.text("store");
  if (address.empty())
    return fail(Errc::invalid_params,
                "users and tokens need the PostgreSQL database of the gateways: name it with --store=postgresql://… or "
                "PARLANCE_STORE. Without a database, a gateway has one user, and the state folder contains the token");
  auto rows = store::TeamRows::open(address, account_and_machine());
  if (!rows) return std::unexpected(rows.error().in("the store"));
  return rows;
}

}  // namespace parlance::app
