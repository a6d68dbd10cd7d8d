// SPDX-License-Identifier: Apache-2.0
// A query as the index of words is asked for it, and as a text is looked through for it before it is worth a score. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parlance::store {

// One word of a query, or two neighbours of a run of Chinese characters. Folded as memory/characters.h does.
struct KeywordPart {
  std::vector<std::string> phrases{};  // any of them, as it stands in the (padded) text
  std::string begins{};                // or, for what is shorter than three characters: what some trigram begins with
  // Other words for the same, and instances of it: vim where an editor is asked for. They lie in the vocabulary.
  std::vector<std::string_view> others{};
  double weight = 1;
};
std::vector<KeywordPart> keyword_parts(std::string_view query);  // the rarest first, as far as length tells

// Whether enough of the query is in a text for it to be worth a look: what the index proposed for one rare word may have no other.
class QuickLook {
 public:
  QuickLook(std::span<const KeywordPart> parts, double min_score);
  // The share of the query's words; 0: not enough.
  double share(const std::string& padded) const;

 private:
  std::vector<KeywordPart> parts_;  // folded, and without what is there twice
  double all_ = 0;
  double needed_ = 0;
};

}  // namespace parlance::store
