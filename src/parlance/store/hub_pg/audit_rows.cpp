// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/audit_rows.h"

#include <utility>

namespace parlance::store {
namespace {

constexpr std::int64_t part_rows = 1'000;  // rows in memory

AuditRow row_of(const pg::Rows& rows, std::size_t i) {
  return {.number = rows.integer(i, 0),
          .time = std::string(rows.text(i, 1)),
          .entry = {.what = std::string(rows.text(i, 2)),
                    .user = std::string(rows.text(i, 3)),
                    .by = std::string(rows.text(i, 4)),
                    .about = std::string(rows.text(i, 5)),
                    .conversation = std::string(rows.text(i, 6)),
                    .detail = std::string(rows.text(i, 7))}};
}

}  // namespace

pg::Statement audit_statement(const hub::AuditEntry& entry) {
  return {.sql = "INSERT INTO audit(what, user_id, by_name, about, conversation, detail) VALUES($1, $2, $3, $4, $5, $6)",
          .parameters = {entry.what, entry.user, entry.by, entry.about, entry.conversation, entry.detail}};
}

Result<void> visit_audit(const pg::ConnectSettings& settings, const pg::Interrupt& interrupt, const std::string& conversation,
                         const std::function<bool(const AuditRow& row)>& visit) {
  auto connection = pg::Connection::open(settings, interrupt);
  if (!connection) return std::unexpected(pg::error_of(connection.error()));
  const auto there = (*connection)->run({.sql = "SELECT to_regclass('audit') IS NOT NULL"});
  if (!there) return std::unexpected(pg::error_of(there.error()));
  if (!there->truth(0, 0)) return {};  // no gateway has used the database yet
  for (std::int64_t after = 0;;) {
    const auto rows = (*connection)
                          ->run({.sql = "SELECT number, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'), "
                                        "what, user_id, by_name, about, "
                                        "conversation, detail FROM audit WHERE number > $1 AND ($2 = '' OR conversation = $2) "
                                        "ORDER BY number LIMIT $3",
                                 .parameters = {after, conversation, part_rows}});
    if (!rows) return std::unexpected(pg::error_of(rows.error()));
    if (rows->empty()) return {};
    for (std::size_t i = 0; i < rows->size(); ++i) {
      const AuditRow row = row_of(*rows, i);
      if (!visit(row)) return {};
      after = row.number;
    }
  }
}

}  // namespace parlance::store
