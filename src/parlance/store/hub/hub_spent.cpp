// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub/hub_spent.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "parlance/codec/json/typed.h"
#include "parlance/wire_form/spending_tables.h"

namespace parlance::store {
namespace {

constexpr std::string_view limits_name = "spending_limits";

std::int64_t integer_of(std::uint64_t value) { return static_cast<std::int64_t>(std::min<std::uint64_t>(value, INT64_MAX)); }

// Its columns from `first` on: turns, untold_turns, input_tokens, output_tokens, cache_read_tokens, costs.
Result<hub::Spent> spent_from(const sqlite::Query& row, int first) {
  const auto count = [&](int at) { return static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.integer(first + at))); };
  PARLANCE_TRY(costs, json::from_text<std::vector<hub::Cost>>(row.text(first + 5)));
  return hub::Spent{.turns = count(0),
                    .unreported_turns = count(1),
                    .input_tokens = count(2),
                    .output_tokens = count(3),
                    .cache_read_tokens = count(4),
                    .costs = std::move(costs)};
}

Result<hub::Spent> sum_at(sqlite::Database& db, const hub::SpentOn& place) {
  PARLANCE_TRY(row, db.query("SELECT turns, untold_turns, input_tokens, output_tokens, cache_read_tokens, costs FROM spent "
                             "WHERE day=?1 AND conversation=?2"));
  row.bind(place.day, place.conversation);
  PARLANCE_TRY(found, row.step());
  if (!found) return hub::Spent{};
  return spent_from(row, 0);
}

}  // namespace

Result<void> write_spent(sqlite::Database& db, const std::vector<hub::SpentOn>& spent) {
  for (const hub::SpentOn& row : spent) {
    PARLANCE_TRY(sum, sum_at(db, row));
    sum += row.spent;
    PARLANCE_TRY(write, db.query("INSERT OR REPLACE INTO spent(day, conversation, turns, untold_turns, input_tokens, "
                                 "output_tokens, cache_read_tokens, costs) VALUES(?1,?2,?3,?4,?5,?6,?7,?8)"));
    PARLANCE_TRY_DO(write.run(row.day, row.conversation, integer_of(sum.turns), integer_of(sum.unreported_turns),
                              integer_of(sum.input_tokens), integer_of(sum.output_tokens), integer_of(sum.cache_read_tokens),
                              json::to_text(sum.costs)));
  }
  return {};
}

Result<std::vector<hub::SpentOn>> read_spent(sqlite::Database& db, const std::string& since) {
  PARLANCE_TRY(rows, db.query("SELECT day, conversation, turns, untold_turns, input_tokens, output_tokens, cache_read_tokens, "
                              "costs FROM spent WHERE day>=?1 ORDER BY day, conversation"));
  rows.bind(since);
  std::vector<hub::SpentOn> found;
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) break;
    PARLANCE_TRY(spent, spent_from(rows, 2));
    found.push_back({.day = std::string(rows.text(0)), .conversation = std::string(rows.text(1)), .spent = std::move(spent)});
  }
  return found;
}

Result<hub::Spent> sum_of(sqlite::Database& db, const std::string& conversation) {
  PARLANCE_TRY(rows, db.query("SELECT turns, untold_turns, input_tokens, output_tokens, cache_read_tokens, costs FROM spent "
                              "WHERE conversation=?1"));
  rows.bind(conversation);
  hub::Spent sum;
  for (;;) {
    PARLANCE_TRY(row, rows.step());
    if (!row) break;
    PARLANCE_TRY(spent, spent_from(rows, 0));
    sum += spent;
  }
  return sum;
}

Result<void> write_limits(sqlite::Database& db, const hub::SpendingLimits& limits) {
  PARLANCE_TRY(write, db.query("INSERT OR REPLACE INTO settings(name, body) VALUES(?1,?2)"));
  return write.run(limits_name, json::to_text(limits));
}

Result<hub::SpendingLimits> read_limits(sqlite::Database& db) {
  PARLANCE_TRY(row, db.query("SELECT body FROM settings WHERE name=?1"));
  row.bind(limits_name);
  PARLANCE_TRY(found, row.step());
  if (!found) return hub::SpendingLimits{};
  return json::from_text<hub::SpendingLimits>(row.text(0));
}

}  // namespace parlance::store
