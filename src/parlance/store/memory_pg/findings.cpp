// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory_pg/findings.h"

#include "parlance/store/memory_pg/schema.h"

namespace parlance::store {

Result<std::optional<MemoryCounts>> look_at_memories(const pg::ConnectSettings& settings, const pg::Interrupt& interrupt) {
  auto connection = pg::Connection::open(settings, interrupt);
  if (!connection) return std::unexpected(pg::error_of(connection.error()));
  const auto tables = (*connection)->run({.sql = "SELECT to_regclass('memory_schema') IS NOT NULL"});
  if (!tables) return std::unexpected(pg::error_of(tables.error()));
  if (!tables->truth(0, 0)) return std::nullopt;
  PARLANCE_TRY_DO(check_memories(**connection));
  const auto counts = (*connection)->run({.sql = "SELECT count(*), count(DISTINCT user_id) FROM memories"});
  if (!counts) return std::unexpected(pg::error_of(counts.error()));
  return MemoryCounts{.memories = std::string(counts->text(0, 0)), .people = std::string(counts->text(0, 1))};
}

}  // namespace parlance::store
