// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/adoption.h"

#include <algorithm>
#include <map>

namespace parlance::store {
namespace {

// The longest watch for a renewal. Longer leases are not watched longer: leases of minutes are unusual.
constexpr int most_wait_ms = 20'000;
constexpr int spare_ms = 1'000;  // tolerance for a late renewal

Result<pg::Rows> rows_of(pg::Connection& connection, std::string sql) {
  auto rows = connection.run({.sql = std::move(sql)});
  if (!rows) return std::unexpected(pg::error_of(rows.error()));
  return *std::move(rows);
}

Result<void> need_tables(pg::Connection& connection) {
  PARLANCE_TRY(there, rows_of(connection, "SELECT to_regclass('hubs') IS NOT NULL AND to_regclass('conversations') IS NOT NULL"));
  if (there.truth(0, 0)) return {};
  return fail(Errc::not_found, "this database has no conversations: restore the backup first, then adopt it");
}

struct Expiry {
  std::string at;
  std::int64_t left_ms = 0;
};
Result<std::map<std::string, Expiry>> expiries(pg::Connection& connection) {
  PARLANCE_TRY(rows,
               rows_of(connection,
                       "SELECT id, expires_at::text, ceil(1000 * extract(epoch FROM expires_at - clock_timestamp()))::bigint "
                       "FROM hubs WHERE NOT dead AND expires_at > clock_timestamp()"));
  std::map<std::string, Expiry> found;
  for (std::size_t i = 0; i < rows.size(); ++i)
    found[std::string(rows.text(i, 0))] = {.at = std::string(rows.text(i, 1)), .left_ms = rows.integer(i, 2)};
  return found;
}

}  // namespace

// A live hub has at least four fifths of its lease left and renews within the remaining fifth: in a quarter of the remaining
// time.
Result<std::vector<std::string>> renewing_hubs(pg::Connection& connection, const pg::Interrupt& interrupt) {
  PARLANCE_TRY_DO(need_tables(connection));
  PARLANCE_TRY(before, expiries(connection));
  std::vector<std::string> renewed;
  if (before.empty()) return renewed;
  std::int64_t wait = 0;
  for (const auto& [id, expiry] : before) wait = std::max(wait, expiry.left_ms / 4 + spare_ms);
  static_cast<void>(interrupt.wait_ms(static_cast<int>(std::min<std::int64_t>(wait, most_wait_ms))));
  PARLANCE_TRY(after, expiries(connection));
  for (const auto& [id, expiry] : after)
    if (const auto was = before.find(id); was == before.end() || was->second.at != expiry.at) renewed.push_back(id);
  return renewed;
}

Result<Adopted> adopt(pg::Connection& connection) {
  PARLANCE_TRY_DO(need_tables(connection));
  const std::vector<pg::Statement> all{
      {.sql = "BEGIN"},
      {.sql = "UPDATE hubs SET dead = true WHERE NOT dead RETURNING 1"},
      {.sql = "UPDATE conversations SET owner = NULL, revision = revision + 1 WHERE owner IS NOT NULL RETURNING 1"},
      {.sql = "SELECT count(*) FROM conversations"},
      {.sql = "COMMIT"}};
  const auto done = connection.run(all);
  if (!done) return std::unexpected(pg::error_of(done.error()));
  return Adopted{
      .conversations = static_cast<std::size_t>((*done)[3].integer(0, 0)), .freed = (*done)[2].size(), .hubs = (*done)[1].size()};
}

}  // namespace parlance::store
