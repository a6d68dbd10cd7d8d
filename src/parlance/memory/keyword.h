// SPDX-License-Identifier: Apache-2.0
// How well a text answers a query, by words: the share of what the query is about that the text speaks of, from 0 to 1.
// 0.7 (the default minimum) means: nearly everything that was asked for is there, in this form, in a related one (deploys for
// deployment), under another everyday name (favourite for prefers) or as an instance of it (PostgreSQL for database).
// Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/memory/text/text_features.h"

namespace parlance::memory {

// A word of a query; of Chinese and Japanese, a known word or what stands between two of them.
struct Word {
  std::string text{};  // lower case, otherwise as it is written: what an index of texts holds
  double weight = 0;   // its part of what is wanted, beside the other words' weights
};

class KeywordQuery {
 public:
  explicit KeywordQuery(std::string_view text);

  // What the query is about: its words without those that every sentence has ("what", "the", "is"), unless there are no others.
  const std::vector<Word>& terms() const { return words_; }

  double score(std::string_view text) const { return score(TextFeatures(text)); }
  double score(const TextFeatures& text) const;

 private:
  struct Term {
    Token token{};
    std::string text{};  // folded
  };

  double best_match(std::size_t number, const TextFeatures& text) const;
  bool has_version(std::size_t number, const TextFeatures& text) const;
  double related_match(std::size_t number, const TextFeatures& text) const;

  std::string phrase_;
  std::vector<Word> words_;
  std::vector<Term> terms_;  // the same words
  bool only_fillers_ = false;
};

}  // namespace parlance::memory
