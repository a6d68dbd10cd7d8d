// SPDX-License-Identifier: Apache-2.0
// The reads of a search from one person's memories in PostgreSQL. Blocking; the database's thread. Every statement names the
// person, so no number and no word returns another person's memories.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "parlance/store/memory/memory_source.h"
#include "parlance/store/memory_pg/server.h"

namespace parlance::store {

class PostgresSource final : public MemorySource {
 public:
  PostgresSource(MemoryServer& server, std::string user) : server_(server), user_(std::move(user)) {}

  // Reads the end of the log of changes; `changes` returns this state until the next call.
  Result<void> refresh();
  std::int64_t person() const { return person_; }  // the number in memory_users; 0: no memories yet

  bool is_far() const override { return true; }
  Result<std::vector<Numbers>> look_up(std::span<const WordsWanted> wanted, Category category, std::size_t limit) override;
  Result<std::vector<NumberedEntry>> rows(std::span<const std::int64_t> numbers) override;
  Result<ChangesKept> changes() override { return changes_; }
  Result<Numbers> changed_after(std::int64_t change) override;
  Result<std::int64_t> embedder_number(const memory::EmbedderInfo& embedder) override;
  Result<std::uint64_t> count_vectors(const memory::EmbedderInfo& embedder) override;
  Result<void> each_vector(std::int64_t embedder, const std::function<void(const SmallVector&)>& take) override;
  Result<void> vectors(std::int64_t embedder, std::span<const std::int64_t> numbers,
                       const std::function<void(const SmallVector&)>& take) override;
  Result<std::vector<ExactVector>> exact_vectors(std::int64_t embedder, std::size_t dimension,
                                                 std::span<const std::int64_t> numbers) override;

 private:
  std::optional<pg::Statement> statement_for(const WordsWanted& wanted, Category category, std::size_t limit) const;
  Result<Numbers> numbers(pg::Statement statement);

  MemoryServer& server_;
  std::string user_;
  std::int64_t person_ = 0;
  ChangesKept changes_{};
  std::int64_t changes_before_ = 0;  // offset of change numbers: a new database invalidates all caches
};

// A gram with the person's number, as in the index shared by all people.
std::string own_gram(std::int64_t person, std::string_view gram);

// For "SELECT " MEMORY_PG_COLUMNS " FROM memories …".
#define MEMORY_PG_COLUMNS \
  "number, id, text, category, importance, source, source_conversation, source_event, created_at, updated_at"
NumberedEntry memory_at(const pg::Rows& rows, std::size_t row);

}  // namespace parlance::store
