// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory/memory_deployed.h"

#include <cmath>
#include <set>
#include <utility>

#include "parlance/base/clock.h"
#include "parlance/base/utf8.h"

namespace parlance::store {
namespace {

// Unix seconds; some versions wrote texts.
std::string time_of(const sqlite::Query& row, int column) {
  if (row.is_null(column)) return "";
  if (const auto time = from_rfc3339(row.text(column))) return to_rfc3339(*time);
  const double seconds = row.number(column);
  if (!(seconds > 0 && seconds < 1e11)) return "";
  return to_rfc3339(WallTime(std::chrono::milliseconds(std::llround(seconds * 1000))));
}

}  // namespace

Result<DeployedMemories> DeployedMemories::open(const std::string& path) {
  PARLANCE_TRY(db, sqlite::Database::open_to_read(path));
  std::set<std::string> columns;
  {
    PARLANCE_TRY(rows, db->query("SELECT name FROM pragma_table_info('vector_memories')"));
    for (;;) {
      PARLANCE_TRY(row, rows.step());
      if (!row) break;
      columns.emplace(rows.text(0));
    }
  }
  if (!columns.contains("text"))
    return fail(Errc::invalid_params,
                path +
                    " has no table vector_memories with a column text: it is no memory of the deployed program. A file "
                    "that parlance exported is imported without --from-sqlite");
  const auto column = [&](const std::string& name, const std::string& otherwise) {
    return columns.contains(name) ? name : otherwise;
  };
  const std::string select = "SELECT rowid, " + column("id", "''") + ", text, " + column("category", "'other'") + ", " +
                             column("importance", "0.5") + ", " + column("source", "'manual'") + ", " +
                             column("created_at", "NULL") + ", " + column("updated_at", "NULL") +
                             " FROM vector_memories WHERE rowid>?1 ORDER BY rowid LIMIT ?2";
  std::uint64_t count = 0;
  {
    PARLANCE_TRY(row, db->query("SELECT count(*) FROM vector_memories"));
    PARLANCE_TRY_DO(row.step());
    count = static_cast<std::uint64_t>(row.integer(0));
  }
  return DeployedMemories(std::move(db), select, count);
}

Result<std::vector<memory::NewEntry>> DeployedMemories::next(std::size_t limit) {
  std::vector<memory::NewEntry> entries;
  PARLANCE_TRY(rows, db_->query(select_));
  rows.bind(last_, limit);
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) return entries;
    last_ = rows.integer(0);
    const double importance = rows.is_null(4) ? 0.5 : rows.number(4);
    entries.push_back({.text = to_valid_utf8(rows.text(2)),
                       .category = memory::category_from(rows.text(3)).value_or(memory::Category::other),
                       .importance = importance >= 0 && importance <= 1 ? importance : 0.5,
                       .source = {.kind = rows.text(5).empty() ? "manual" : to_valid_utf8(rows.text(5))},
                       .id = to_valid_utf8(rows.text(1)),
                       .created_at = time_of(rows, 6),
                       .updated_at = time_of(rows, 7)});
  }
}

}  // namespace parlance::store
