// Which memories may answer a query by its words: candidates from the trigram index, to be scored by whoever reads their texts.
// Blocking; the database's thread, inside a snapshot.
//
// Scoring is by the share of the query's words that a text has, so with a minimum of 0.7 a text must have at least one out of any
// 0.3 of them: the rarest words alone name every possible hit. Words that too many texts have name nobody; they count together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "memory/store.h"
#include "sqlite/database.h"

namespace parlance::store {

// One word of a query, or two neighbours of a run of Chinese characters. Folded as memory/characters.h does.
struct KeywordPart {
  std::vector<std::string> phrases{};  // any of them, as it stands in the (padded) text
  std::string begins{};                // or, for what is shorter than three characters: what some trigram begins with
  std::vector<std::string> others{};   // other words for the same, and instances of it: vim where an editor is asked for
  double weight = 1;
};
std::vector<KeywordPart> keyword_parts(std::string_view query);  // the rarest first, as far as length tells

class MemoryKeywords {
 public:
  explicit MemoryKeywords(sqlite::Database& db) : db_(db) {}
  static Result<void> prepare(sqlite::Database& db);  // once a connection, before the rest

  // Numbers of memories, those with more of the query first. At most limits::memory_candidates.
  Result<std::vector<std::int64_t>> candidates(std::string_view query, double min_score,
                                               std::optional<memory::Category> category);
  // What the index told of words is kept for searches with the same words; to be called when anything was written since.
  void forget_found() { found_.clear(); }

 private:
  using Numbers = std::vector<std::int64_t>;
  template <class F>
  Result<Numbers> once(std::string key, F look);
  // At most limits::memory_candidates + 1 of them, which then means: too many.
  Result<std::vector<std::int64_t>> having(const KeywordPart& part, const std::optional<std::string>& category);
  Result<std::vector<std::int64_t>> matching(const std::string& expression, const std::optional<std::string>& category);
  Result<std::vector<std::int64_t>> look_up(const std::string& expression, const std::optional<std::string>& category);
  Result<std::vector<std::int64_t>> look_up_beginning(const std::string& begins, const std::optional<std::string>& category);

  sqlite::Database& db_;
  std::unordered_map<std::string, Numbers> found_;  // by what was asked
};

}  // namespace parlance::store
