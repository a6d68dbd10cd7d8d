// SPDX-License-Identifier: Apache-2.0
// The memories of the deployed program: an SQLite file with the table vector_memories. Its vectors are left
// behind: nothing says which embedder made them. Blocking; one thread at a time.
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
  // Errors: not_found, or what is wrong with the file. Nothing is written into it.
  static Result<DeployedMemories> open(const std::string& path);
  std::uint64_t count() const { return count_; }
  // The next ones, oldest first; none: that was all. An entry may have an empty text: some of those files have.
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
