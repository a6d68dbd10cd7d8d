#include "apps/parlance/team/team_store.h"

namespace parlance::app {

Result<store::TeamRows> team_store(const Settings& settings) {
  const std::string& address = settings.text("store");
  if (address.empty())
    return fail(Errc::invalid_params,
                "users and tokens are kept in a PostgreSQL that all gateways share: name it with --store=postgresql://… or PARLANCE_STORE. "
                "A machine alone has one person, and the token in its state folder");
  auto rows = store::TeamRows::open(address);
  if (!rows) return std::unexpected(rows.error().in("the store"));
  return rows;
}

}  // namespace parlance::app
