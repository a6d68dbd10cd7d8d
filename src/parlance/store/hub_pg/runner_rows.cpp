// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/runner_rows.h"

#include <algorithm>

#include "parlance/hub/log/limits.h"
#include "parlance/store/hub/unused_sessions.h"
#include "parlance/store/hub_pg/limits.h"

namespace parlance::store {
namespace {

const std::string right_now = R"(to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))";

// `$1`: the reading hub; `$2`: the lease. A dead hub's connections count as lost.
const std::string runner_columns =
    "SELECT r.name, r.connection, (h.id IS NOT NULL AND NOT h.dead AND clock_timestamp() <= greatest(h.expires_at, "
    "pg_postmaster_start_time() + $2::interval)), r.hub IS NOT DISTINCT FROM $1, r.since, r.body, r.user_id "
    "FROM runners AS r LEFT JOIN hubs AS h ON h.id = r.hub ";

hub::RunnerConnection read_runner(const pg::Rows& rows, std::size_t row) {
  hub::RunnerConnection at{.runner = std::string(rows.text(row, 0)),
                           .user = std::string(rows.text(row, 6)),
                           .connection = static_cast<std::uint64_t>(rows.integer(row, 1)),
                           .connected = rows.truth(row, 2),
                           .since = std::string(rows.text(row, 4)),
                           .body = std::string(rows.text(row, 5))};
  at.here = at.connected && rows.truth(row, 3);
  return at;
}

constexpr std::int64_t disconnected_of_user = 16;  // disconnected, as in a gateway's memory (limits::runners_of_user)

}  // namespace

pg::Statement all_runners(const std::string& hub, const std::string& lease) {
  static const std::string all = runner_columns + "ORDER BY r.name COLLATE \"C\" LIMIT $3";
  return {.sql = all, .parameters = {hub, lease, limits::runners_known}};
}

std::vector<hub::RunnerConnection> read_runners(const pg::Rows& rows) {
  std::vector<hub::RunnerConnection> runners;
  for (std::size_t row = 0; row < rows.size(); ++row) runners.push_back(read_runner(rows, row));
  return runners;
}

// A repetition after a lost answer only increases the connection number, without harm.
Result<hub::RunnerConnection> RunnerRows::connected(const std::string& runner, const std::string& body, const std::string& user) {
  PARLANCE_TRY(
      all, session_.read(
               {{.sql = "BEGIN"},
                {.sql = "DELETE FROM runners WHERE hub IS NULL AND since::timestamptz < clock_timestamp() - interval '90 days' "
                        "AND NOT EXISTS (SELECT 1 FROM conversations WHERE place = name)"},
                // Bounds the table: keeps each user's newest runners, and runners with conversations.
                {.sql = "DELETE FROM runners WHERE name IN (SELECT r.name FROM runners AS r WHERE r.user_id = $1 AND $1 <> '' "
                        "AND r.hub IS NULL AND r.name <> $2 AND NOT EXISTS (SELECT 1 FROM conversations AS c WHERE c.place = "
                        "r.name) ORDER BY r.since DESC OFFSET $3)",
                 .parameters = {user, runner, disconnected_of_user}},
                {.sql = "INSERT INTO runners(name, hub, connection, since, body, user_id) SELECT $1, $2, 1, " + right_now +
                        ", $3, $4 WHERE EXISTS (SELECT 1 FROM hubs WHERE id = $2 AND NOT dead) ON CONFLICT(name) DO UPDATE SET "
                        "hub = $2, connection = runners.connection + 1, since = " +
                        right_now + ", body = $3 WHERE runners.user_id = $4",
                 .parameters = {runner, hub_, body, user}},
                {.sql = "COMMIT"}}));
  PARLANCE_TRY(at, find(runner));
  if (at && at->user != user)
    return fail(Errc::denied, "another user has a runner with the name " + runner + ": give this runner another --name");
  if (!at || !at->here) return fail(Errc::failed, "the runner " + runner + " is connected to another gateway by now");
  return *std::move(at);
}

Result<void> RunnerRows::disconnected(const std::string& runner, std::uint64_t connection) {
  PARLANCE_TRY_DO(session_.read(pg::Statement{
      .sql = "UPDATE runners SET hub = NULL, since = " + right_now + " WHERE name = $1 AND hub = $2 AND connection = $3",
      .parameters = {runner, hub_, static_cast<std::int64_t>(connection)}}));
  return {};
}

Result<std::optional<hub::RunnerConnection>> RunnerRows::find(const std::string& runner) {
  static const std::string by_name = runner_columns + "WHERE r.name = $3";
  PARLANCE_TRY(rows, session_.read(pg::Statement{.sql = by_name, .parameters = {hub_, lease_, runner}}));
  if (rows.empty()) return std::nullopt;
  return read_runner(rows, 0);
}

Result<std::vector<std::string>> RunnerRows::unused_sessions(const std::string& runner) {
  const std::string prefix = std::string(unused_session_prefix) + runner + "/";
  PARLANCE_TRY(rows,
               session_.read(pg::Statement{
                   .sql = "SELECT substr(name, length($1) + 1) FROM settings WHERE starts_with(name, $1) ORDER BY name LIMIT $2",
                   .parameters = {prefix, static_cast<std::int64_t>(limits::unused_sessions)}}));
  std::vector<std::string> found;
  for (std::size_t row = 0; row < rows.size(); ++row) found.emplace_back(rows.text(row, 0));
  return found;
}

Result<void> RunnerRows::forget_unused_session(const std::string& runner, const std::string& session) {
  PARLANCE_TRY_DO(session_.read(pg::Statement{.sql = "DELETE FROM settings WHERE name = $1",
                                              .parameters = {std::string(unused_session_prefix) + runner + "/" + session}}));
  return {};
}

}  // namespace parlance::store
