// SPDX-License-Identifier: Apache-2.0
// The tables of memory.db for searches, and inserts of vectors. Blocking; the database's thread. `add_vector` inside a
// transaction, the others inside a snapshot or a transaction.
#pragma once

#include "parlance/sqlite/database.h"
#include "parlance/store/memory/embedded.h"
#include "parlance/store/memory/memory_source.h"

namespace parlance::store {

class MemoryTables final : public MemorySource {
 public:
  explicit MemoryTables(sqlite::Database& db) : db_(db) {}
  static Result<void> prepare(sqlite::Database& db);  // once per connection, first

  // Inserts a memory's vector. False: already present. The first vector creates the embedder's number.
  Result<bool> add_vector(const memory::EmbedderInfo& embedder, std::int64_t number, memory::Category category,
                          const memory::Vector& vector);

  bool is_far() const override { return false; }
  Result<std::vector<Numbers>> look_up(std::span<const WordsWanted> wanted, Category category, std::size_t limit) override;
  Result<std::vector<NumberedEntry>> rows(std::span<const std::int64_t> numbers) override;
  Result<ChangesKept> changes() override;
  Result<Numbers> changed_after(std::int64_t change) override;
  Result<std::int64_t> embedder_number(const memory::EmbedderInfo& embedder) override;
  Result<std::uint64_t> count_vectors(const memory::EmbedderInfo& embedder) override;
  Result<void> each_vector(std::int64_t embedder, const std::function<void(const SmallVector&)>& take) override;
  Result<void> vectors(std::int64_t embedder, std::span<const std::int64_t> numbers,
                       const std::function<void(const SmallVector&)>& take) override;
  Result<std::vector<ExactVector>> exact_vectors(std::int64_t embedder, std::size_t dimension,
                                                 std::span<const std::int64_t> numbers) override;

 private:
  Result<Numbers> look_up_groups(const WordsWanted& wanted, Category category, std::size_t limit);
  Result<Numbers> look_up_beginning(const WordsWanted& wanted, Category category, std::size_t limit);

  sqlite::Database& db_;
};

}  // namespace parlance::store
