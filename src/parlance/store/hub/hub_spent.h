// SPDX-License-Identifier: Apache-2.0
// Use of models and spending limits in the hub's database. For the .cpp files of this folder only. Blocking.
#pragma once

#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/policy/spending.h"
#include "parlance/sqlite/database.h"

namespace parlance::store {

// Adds to the sums, inside the caller's transaction.
Result<void> write_spent(sqlite::Database& db, const std::vector<hub::SpentOn>& spent);
// The sums from the day `since` on, by day and conversation; "": all.
Result<std::vector<hub::SpentOn>> read_spent(sqlite::Database& db, const std::string& since);

// The sum of a conversation over all days. Reads the whole table, which has a row for each day and conversation.
Result<hub::Spent> sum_of(sqlite::Database& db, const std::string& conversation);

// Replaces all limits, inside the caller's transaction. Without a row, `read_limits` returns no limits.
Result<void> write_limits(sqlite::Database& db, const hub::SpendingLimits& limits);
Result<hub::SpendingLimits> read_limits(sqlite::Database& db);

}  // namespace parlance::store
