// SPDX-License-Identifier: Apache-2.0
// Finds candidate memories of a query by its words in the word index; the caller reads and scores their texts. Blocking; the
// database's thread, inside a snapshot.
//
// A score is the share of the query's words in a text. With a minimum of 0.7 a text must contain at least one word out of any 0.3
// of the weight: the rarest words alone find every possible hit. Words with too many texts name no candidates; they count
// together.
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

  // Numbers of memories, best match first. At most limits::memory_candidates.
  Result<std::vector<std::int64_t>> candidates(std::span<const KeywordPart> parts, double min_score,
                                               std::optional<memory::Category> category);
  // Lookups are cached for later searches. After a write the caller either clears the cache, or, with a remote index, applies
  // each added (`padded`: text as in MemoryRow) or removed memory.
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
  // At most limits::memory_candidates + 1 numbers; this many means: too many.
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
  Found found_;  // by lookup
  Found lists_;  // complete lists of frequent words, or empty if too long
};

}  // namespace parlance::store
