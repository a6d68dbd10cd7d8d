// SPDX-License-Identifier: Apache-2.0
// The state of a database: facts from its file, its integrity, and missing references and indexes. In pieces, so that the caller
// can stop between them. Each piece reads under its run's deadline, behind the same gate as foreign statements, because indexes
// and constraints of an untrusted file are expressions. Worker thread only, except functions without a connection.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parlance/sqlite/schema.h"

namespace parlance::sqlite {

struct FileFacts {
  std::uint64_t file_bytes = 0;
  std::uint64_t wal_bytes = 0;  // Of pages not yet moved into the file.
  std::int64_t page_size = 0;
  std::int64_t page_count = 0;
  std::int64_t free_pages = 0;  // Unused space inside the file, until a write or VACUUM.
  std::string journal_mode{};
  std::string encoding{};
  std::int64_t auto_vacuum = 0;  // 0: none, 1: full, 2: incremental.
  std::int64_t user_version = 0;
  std::int64_t application_id = 0;
  bool has_statistics = false;  // ANALYZE has been run.
};
Outcome<FileFacts> file_facts(Connection& connection, Run& run);

// `full`: also compares indexes with tables, which takes many times as long. Empty: no fault. For a file too damaged for a
// complete check, the last problem says so. CHECK constraints are not checked, because a read-only connection has none.
Outcome<std::vector<std::string>> integrity_problems(Connection& connection, Run& run, bool full);

struct BrokenKey {
  std::string table{};
  std::string to_table{};
  std::int64_t rows = 0;  // Rows with a reference to a missing row.
};
Outcome<std::vector<BrokenKey>> broken_keys(Connection& connection, Run& run);

Outcome<std::int64_t> count_rows(Connection& connection, Run& run, const std::string& table);

// Foreign keys without an index that begins with their columns: each delete of a parent row reads the whole table. Any thread.
struct UnindexedKey {
  std::string table{};
  std::vector<std::string> columns{};
  std::string to_table{};
};
std::vector<UnindexedKey> unindexed_keys(const Schema& schema);

// Indexes that are a prefix of another index of the same table: they only slow writes down. Any thread.
struct RedundantIndex {
  std::string table{};
  std::string index{};
  std::string covered_by{};
};
std::vector<RedundantIndex> redundant_indexes(const Schema& schema);

}  // namespace parlance::sqlite
