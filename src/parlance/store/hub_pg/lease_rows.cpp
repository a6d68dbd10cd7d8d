#include "parlance/store/hub_pg/lease_rows.h"

#include <vector>

namespace parlance::store {

// Under a lock, so that of two that come at once one stays outside. What was asked twice, because the first answer was lost, is found done.
Result<bool> LeaseRows::join() {
  PARLANCE_TRY(living, session_.read(pg::Statement{.sql = "SELECT 1 FROM hubs WHERE NOT dead AND id <> $1 AND clock_timestamp() <= "
                                                          "greatest(expires_at, pg_postmaster_start_time() + $2::interval)",
                                                   .parameters = {hub_, lease_}}));
  if (!living.empty()) return false;
  PARLANCE_TRY(
      all,
      session_.read({{.sql = "BEGIN"},
                     {.sql = "LOCK TABLE hubs IN SHARE ROW EXCLUSIVE MODE"},
                     {.sql = "SELECT bury($1::interval)", .parameters = {lease_}},
                     {.sql = "DELETE FROM hubs WHERE dead AND expires_at < clock_timestamp() - interval '1 day' AND NOT EXISTS "
                             "(SELECT 1 FROM conversations WHERE owner = hubs.id)"},
                     {.sql = "INSERT INTO hubs(id, version, expires_at) SELECT $1, $2, clock_timestamp() + $3::interval "
                             "WHERE NOT EXISTS (SELECT 1 FROM hubs WHERE NOT dead) ON CONFLICT(id) DO NOTHING",
                      .parameters = {hub_, version_, lease_}},
                     {.sql = "SELECT 1 FROM hubs WHERE id = $1 AND NOT dead", .parameters = {hub_}},
                     {.sql = "COMMIT"}}));
  return !all[5].empty();
}

Result<bool> LeaseRows::renew() {
  PARLANCE_TRY(rows, session_.read(pg::Statement{
                         .sql = "UPDATE hubs SET expires_at = clock_timestamp() + $2::interval WHERE id = $1 AND NOT dead RETURNING 1",
                         .parameters = {hub_, lease_}}));
  return !rows.empty();
}

Result<void> LeaseRows::leave() {
  PARLANCE_TRY_DO(session_.read({{.sql = "BEGIN"},
                                 {.sql = "UPDATE conversations SET owner = NULL WHERE owner = $1", .parameters = {hub_}},
                                 {.sql = "UPDATE hubs SET dead = true WHERE id = $1", .parameters = {hub_}},
                                 {.sql = "COMMIT"}}));
  return {};
}

}  // namespace parlance::store
