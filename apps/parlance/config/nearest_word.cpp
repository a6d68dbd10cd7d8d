// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/nearest_word.h"

#include <algorithm>

namespace parlance::app {

// The edit distance of two words in single characters, for suggestions.
static std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& words) {
  const auto nearest =
      std::ranges::min_element(words, {}, [&](const std::string& candidate) { return distance(word, candidate); });
  // A more distant word is no useful suggestion.
  return nearest == words.end() || distance(word, *nearest) > 1 + word.size() / 3 ? "" : *nearest;
}

}  // namespace parlance::app
