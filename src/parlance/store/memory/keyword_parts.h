// SPDX-License-Identifier: Apache-2.0
// Splits a query into parts for the word index and for a quick check of texts before scoring. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::store {

// One word of a query, or a pair of Chinese characters. Folded like memory/characters.h.
struct KeywordPart {
  std::vector<std::string> phrases{};  // alternatives, as contained in the (padded) text
  std::string begins{};                // or, below three characters: the prefix of a trigram
  // Synonyms and instances: vim for editor. Views into the vocabulary.
  std::vector<std::string_view> others{};
  double weight = 1;
};
std::vector<KeywordPart> keyword_parts(std::string_view query);  // the rarest first, estimated by length

// Whether a text contains enough of the query for a full score: candidates of the index may share only one rare word.
class QuickLook {
 public:
  QuickLook(std::span<const KeywordPart> parts, double min_score);
  // The share of the query's words; 0: below the minimum.
  double share(const std::string& padded) const;

 private:
  std::vector<KeywordPart> parts_;  // folded, without duplicates
  double all_ = 0;
  double needed_ = 0;
};

}  // namespace parlance::store
