// SPDX-License-Identifier: Apache-2.0
// Imports memories of the earlier deployed program: an SQLite file with the table vector_memories. Ignores its vectors, because
// the file does not name their embedder. Blocking; one thread at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/memory/store.h"
#include "parlance/sqlite/database.h"

namespace parlance::store {

class DeployedMemories {
 public:
  // Errors: not_found, or the fault of the file. Never writes to the file.
  static Result<DeployedMemories> open(const std::string& path);
  std::uint64_t count() const { return count_; }
  // The next entries, oldest first; empty: the end. An entry may have an empty text, as in some real files.
  Result<std::vector<memory::NewEntry>> next(std::size_t limit);

 private:
  DeployedMemories(std::unique_ptr<sqlite::Database> db, std::string select, std::uint64_t count)
      : db_(std::move(db)), select_(std::move(select)), count_(count) {}

  std::unique_ptr<sqlite::Database> db_;
  std::string select_;
  std::uint64_t count_ = 0;
  std::int64_t last_ = 0;  // rowid
};

}  // namespace parlance::store
