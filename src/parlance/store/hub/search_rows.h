// SPDX-License-Identifier: Apache-2.0
// The index of a hub's texts in SQLite: finds the parts of logs that may contain some words, without a read of all logs. The end of
// a turn writes a row for its part, in the same transaction; every 32nd row writes the texts of the last 32 parts. A search reads the
// logs of running turns and of parts without texts in the index. Blocking; a single thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/log/store.h"
#include "parlance/sqlite/database.h"

namespace parlance::store {

// Updates the index after the insertion of a commit's events. `conversation`: number of its row.
Result<void> note_searched(sqlite::Database& db, std::int64_t conversation, const std::vector<hub::Event>& events);

// Repeats the index of a log that was cut after event `last`.
Result<void> note_cut(sqlite::Database& db, std::int64_t conversation, std::uint64_t last);

// hub::Store::parts_with.
Result<hub::LogParts> find_parts(sqlite::Database& db, const std::string& words, std::uint64_t before, std::size_t limit);

}  // namespace parlance::store
