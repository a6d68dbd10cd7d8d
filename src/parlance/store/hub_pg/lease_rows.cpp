// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/lease_rows.h"

#include <chrono>
#include <string_view>
#include <vector>

#include "parlance/store/hub_pg/limits.h"
#include "parlance/store/hub_pg/schema.h"

namespace parlance::store {

namespace {

constexpr std::string_view server_time = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

std::optional<WallTime> time_in(const pg::Rows& rows) {
  return rows.empty() ? std::nullopt : std::optional(WallTime(std::chrono::milliseconds(rows.integer(0, 0))));
}

}  // namespace

// Idempotent: after a lost answer the repeated statement finds its row.
Result<std::optional<WallTime>> LeaseRows::join() {
  PARLANCE_TRY(all,
               session_.read(
                   {{.sql = "BEGIN"},
                    {.sql = "SELECT bury($1::interval)", .parameters = {lease_}},
                    {.sql = "DELETE FROM hubs WHERE dead AND expires_at < clock_timestamp() - interval '1 day' AND NOT EXISTS "
                            "(SELECT 1 FROM conversations WHERE owner = hubs.id)"},
                    {.sql = "DELETE FROM commands WHERE outcome IS NOT NULL AND number < (SELECT max(number) FROM commands) - $1",
                     .parameters = {limits::commands_kept}},
                    // only if no newer schema has replaced the tables since the check
                    {.sql = "INSERT INTO hubs(id, version, expires_at) SELECT $1, $2, clock_timestamp() + $3::interval "
                            "WHERE (SELECT least_reader FROM schema) <= $4 ON CONFLICT(id) DO NOTHING",
                     .parameters = {hub_, version_, lease_, hub_schema_version}},
                    {.sql = "SELECT " + std::string(server_time) + " FROM hubs WHERE id = $1 AND NOT dead", .parameters = {hub_}},
                    {.sql = "COMMIT"}}));
  return time_in(all[5]);
}

Result<std::optional<WallTime>> LeaseRows::renew() {
  PARLANCE_TRY(rows,
               session_.read(pg::Statement{
                   .sql = "UPDATE hubs SET expires_at = clock_timestamp() + $2::interval WHERE id = $1 AND NOT dead RETURNING " +
                          std::string(server_time),
                   .parameters = {hub_, lease_}}));
  return time_in(rows);
}

Result<void> LeaseRows::leave() {
  PARLANCE_TRY_DO(session_.read(
      {{.sql = "BEGIN"},
       {.sql = "UPDATE conversations SET owner = NULL, revision = revision + 1 WHERE owner = $1", .parameters = {hub_}},
       {.sql = "UPDATE hubs SET dead = true WHERE id = $1", .parameters = {hub_}},
       {.sql = "COMMIT"}}));
  return {};
}

}  // namespace parlance::store
