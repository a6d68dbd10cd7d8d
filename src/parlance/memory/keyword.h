// SPDX-License-Identifier: Apache-2.0
// Scores a text for a query by words: the share of the query's topics in the text, from 0 to 1. The default minimum of 0.7
// means: the text contains nearly every wanted word. Related forms (deploys for deployment), everyday synonyms (favourite for
// prefers) and instances (PostgreSQL for database) count too. Pure; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/memory/text/text_features.h"

namespace parlance::memory {

// A word of a query; in Chinese and Japanese, a known word or the text between two known words.
struct Word {
  std::string text{};  // Lower case, otherwise unchanged: the form in an index of texts.
  double weight = 0;   // Its share of the query, beside the weights of the other words.
};

class KeywordQuery {
 public:
  explicit KeywordQuery(std::string_view text);

  // The topics of the query: its words without words of every sentence ("what", "the", "is"), unless it has no others.
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
  std::vector<Term> terms_;  // The same words.
  bool only_fillers_ = false;
};

}  // namespace parlance::memory
