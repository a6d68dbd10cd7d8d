// SPDX-License-Identifier: Apache-2.0
// The index of a hub's texts in SQLite: finds the parts of logs that may contain some words, without a read of all logs. Turns enter
// the index in groups. A group ends after 64 events of a conversation, with the transaction of the turn's end, or with the transaction
// that adds the 32nd waiting conversation. A search reads the logs of waiting and running turns. Blocking; a single thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/hub/log/store.h"
#include "parlance/sqlite/database.h"

namespace parlance::store {

struct SearchedLog {
  std::int64_t conversation;  // number of its row
  std::uint64_t waiting;      // first event outside the index, search_open.first; 0: none
};

// Updates the index after the insertion of a commit's events.
Result<void> note_searched(sqlite::Database& db, const SearchedLog& log, const std::vector<hub::Event>& events);

// Repeats the index of a log that was cut after event `last`.
Result<void> note_cut(sqlite::Database& db, std::int64_t conversation, std::uint64_t last);

// Indexes a log that was copied without its index.
Result<void> note_copied(sqlite::Database& db, std::int64_t conversation, std::uint64_t last);

// hub::Store::parts_with.
Result<hub::LogParts> find_parts(sqlite::Database& db, const std::string& words, std::uint64_t before, std::size_t limit);

}  // namespace parlance::store
