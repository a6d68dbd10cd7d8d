// SPDX-License-Identifier: Apache-2.0
// How a database is: what its file says about itself, whether it is intact, what its foreign keys and indexes lack. Pieces, so that
// whoever asks can stop between them; each reads under its run's deadline, behind the same gate as a statement of somebody's, because
// indexes and constraints of an untrusted file are expressions. Worker thread only, except where a function takes no connection.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parlance/sqlite/schema.h"

namespace parlance::sqlite {

struct FileFacts {
  std::uint64_t file_bytes = 0;
  std::uint64_t wal_bytes = 0;  // of what has not been moved into the file yet
  std::int64_t page_size = 0;
  std::int64_t page_count = 0;
  std::int64_t free_pages = 0;  // inside the file, of no use until something is written or VACUUM runs
  std::string journal_mode{};
  std::string encoding{};
  std::int64_t auto_vacuum = 0;  // 0: none, 1: full, 2: incremental
  std::int64_t user_version = 0;
  std::int64_t application_id = 0;
  bool has_statistics = false;  // ANALYZE has been run
};
Outcome<FileFacts> file_facts(Connection& connection, Run& run);

// `full`: also whether indexes and tables agree, which takes many times as long. Empty: nothing is wrong. A file so damaged that the
// check itself ends early has that as its last problem. CHECK constraints are not looked at: a connection that only reads has none.
Outcome<std::vector<std::string>> integrity_problems(Connection& connection, Run& run, bool full);

struct BrokenKey {
  std::string table{};
  std::string to_table{};
  std::int64_t rows = 0;  // that refer to a row which does not exist
};
Outcome<std::vector<BrokenKey>> broken_keys(Connection& connection, Run& run);

Outcome<std::int64_t> count_rows(Connection& connection, Run& run, const std::string& table);

// Foreign keys whose columns no index begins with: each delete of a parent's row reads the whole table. Any thread.
struct UnindexedKey {
  std::string table{};
  std::vector<std::string> columns{};
  std::string to_table{};
};
std::vector<UnindexedKey> unindexed_keys(const Schema& schema);

// Indexes that another index of the same table begins with: they only make writes slower. Any thread.
struct RedundantIndex {
  std::string table{};
  std::string index{};
  std::string covered_by{};
};
std::vector<RedundantIndex> redundant_indexes(const Schema& schema);

}  // namespace parlance::sqlite
