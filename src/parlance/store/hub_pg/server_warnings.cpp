// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/server_warnings.h"

#include "parlance/pg/listen_probe.h"

namespace parlance::store {

// Reads settings only: the state of standbys is visible to privileged users only.
Result<std::vector<std::string>> server_warnings(const pg::ConnectSettings& settings, const pg::Interrupt& interrupt) {
  auto connection = pg::Connection::open(settings, interrupt);
  if (!connection) return std::unexpected(pg::error_of(connection.error()));
  const auto rows = (*connection)
                        ->run({.sql = "SELECT current_setting('synchronous_standby_names') <> '', "
                                      "current_setting('synchronous_commit') NOT IN ('off', 'local')"});
  if (!rows) return std::unexpected(pg::error_of(rows.error()));
  std::vector<std::string> sentences;
  if (!rows->truth(0, 1))
    sentences.emplace_back("synchronous_commit is off: a crash of the database may lose acknowledged commits");
  if (!rows->truth(0, 0))
    sentences.emplace_back("no standby is synchronous: a failover may lose the latest acknowledged commits");
  const auto arrived = pg::notifications_arrive(settings, interrupt);
  if (!arrived) return std::unexpected(pg::error_of(arrived.error()));
  if (!*arrived) sentences.emplace_back("notifications do not arrive: a pooler shares connections between transactions");
  return sentences;
}

Result<std::vector<LivingHub>> living_hubs(const pg::ConnectSettings& settings, const pg::Interrupt& interrupt) {
  auto connection = pg::Connection::open(settings, interrupt);
  if (!connection) return std::unexpected(pg::error_of(connection.error()));
  const auto tables =
      (*connection)->run({.sql = "SELECT to_regclass('hubs') IS NOT NULL AND to_regclass('conversations') IS NOT NULL"});
  if (!tables) return std::unexpected(pg::error_of(tables.error()));
  std::vector<LivingHub> hubs;
  if (!tables->truth(0, 0)) return hubs;
  const auto rows =
      (*connection)
          ->run({.sql = "SELECT id, version, ceil(extract(epoch FROM expires_at - clock_timestamp()))::bigint, "
                        "(SELECT count(*) FROM conversations WHERE owner = hubs.id), (SELECT count(*) FROM conversations) "
                        "FROM hubs WHERE NOT dead AND expires_at > clock_timestamp() ORDER BY id"});
  if (!rows) return std::unexpected(pg::error_of(rows.error()));
  for (std::size_t i = 0; i < rows->size(); ++i)
    hubs.push_back({.id = std::string(rows->text(i, 0)),
                    .version = std::string(rows->text(i, 1)),
                    .lease_s = std::string(rows->text(i, 2)),
                    .owned = std::string(rows->text(i, 3)),
                    .conversations = std::string(rows->text(i, 4))});
  return hubs;
}

}  // namespace parlance::store
