// Which memories may answer a query by its words: candidates from the trigram index, to be scored by whoever reads their texts.
// Blocking; the database's thread, inside a snapshot.
//
// Scoring is by the share of the query's words that a text has, so with a minimum of 0.7 a text must have at least one out of any
// 0.3 of them: the rarest words alone name every possible hit. Words that too many texts have name nobody; they count together.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/memory/store.h"
#include "parlance/sqlite/database.h"
#include "parlance/store/memory/keyword_parts.h"
#include "parlance/store/memory/limits.h"

namespace parlance::store {

class MemoryKeywords {
 public:
  explicit MemoryKeywords(sqlite::Database& db) : db_(db) {}
  static Result<void> prepare(sqlite::Database& db);  // once a connection, before the rest

  // Numbers of memories, those with more of the query first. At most limits::memory_candidates.
  Result<std::vector<std::int64_t>> candidates(std::span<const KeywordPart> parts, double min_score,
                                               std::optional<memory::Category> category);
  // What the index told of words is kept for searches with the same words; to be called when anything was written since.
  void forget_found() {
    found_.clear();
    lists_.clear();
  }

 private:
  using Numbers = std::vector<std::int64_t>;
  template <class F>
  Result<Numbers> once(std::string key, F look);
  // At most limits::memory_candidates + 1 of them, which then means: too many.
  Result<std::vector<std::int64_t>> having(const KeywordPart& part, const std::optional<std::string>& category);
  Result<std::vector<std::int64_t>> matching(const std::string& expression, const std::optional<std::string>& category);
  Result<std::vector<std::int64_t>> having_all(std::span<const std::string> expressions,
                                               const std::optional<std::string>& category);
  Result<std::span<const std::int64_t>> all_having(const std::string& expression, const std::optional<std::string>& category);
  Result<std::vector<std::int64_t>> look_up(const std::string& expression, const std::optional<std::string>& category, int limit);
  Result<std::vector<std::int64_t>> look_up_beginning(const std::string& begins, const std::optional<std::string>& category);

  sqlite::Database& db_;
  std::unordered_map<std::string, Numbers> found_;  // by what was asked
  std::unordered_map<std::string, Numbers> lists_;  // of common words: all of them, or none where they are too many
};

}  // namespace parlance::store
