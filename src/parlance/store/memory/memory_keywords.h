// SPDX-License-Identifier: Apache-2.0
// Which memories may answer a query by its words: candidates from the index of words, to be scored by whoever reads their texts.
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
#include "parlance/store/memory/keyword_parts.h"
#include "parlance/store/memory/limits.h"
#include "parlance/store/memory/memory_source.h"

namespace parlance::store {

class MemoryKeywords {
 public:
  explicit MemoryKeywords(MemorySource& source) : source_(source) {}

  // Numbers of memories, those with more of the query first. At most limits::memory_candidates.
  Result<std::vector<std::int64_t>> candidates(std::span<const KeywordPart> parts, double min_score,
                                               std::optional<memory::Category> category);
  // What the index told of words is kept for searches with the same words. When anything was written since: all is forgotten, or, where asking anew is
  // a way to a server, what is kept is brought up to each memory that came (`padded`: its text as MemoryRow has it) or went.
  void came(std::int64_t number, memory::Category category, const std::string& padded);
  void went(std::int64_t number);
  void forget_found() {
    found_.clear();
    lists_.clear();
  }

 private:
  using Numbers = MemorySource::Numbers;
  using Category = MemorySource::Category;
  using Phrases = std::vector<std::string>;
  // At most limits::memory_candidates + 1 of them, which then means: too many.
  Result<Numbers> having(const WordsWanted& wanted, Category category);
  Result<Numbers> having_all(const std::vector<Phrases>& groups, Category category);
  Result<std::span<const std::int64_t>> all_having(const Phrases& phrases, Category category);
  Result<void> gather(std::span<const KeywordPart> parts, Category category);
  struct Kept {
    WordsWanted wanted{};  // folded
    Category category{};
    std::size_t limit = 0;
    Numbers numbers{};
    bool has(memory::Category of, const std::string& padded) const;
  };
  using Found = std::unordered_map<std::string, Kept>;
  Result<Kept> ask(const WordsWanted& wanted, Category category, std::size_t limit);
  void keep(std::string key, Kept found);
  bool are_likely_too_many(const std::string& key) const;

  MemorySource& source_;
  Found found_;  // by what was asked
  Found lists_;  // of common words: all of them, or none where they are too many
};

}  // namespace parlance::store
