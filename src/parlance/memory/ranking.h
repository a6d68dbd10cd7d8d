// SPDX-License-Identifier: Apache-2.0
// The score of a hit from its words and its vector, and the order of hits. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "parlance/memory/calibration.h"
#include "parlance/memory/keyword.h"
#include "parlance/memory/store.h"

namespace parlance::memory {

// Of two vectors of length 1, or of zeros. Different dimensions: 0.
double cosine(std::span<const float> a, std::span<const float> b);

// The value of a text for a query. All members from 0 to 1; a minimum applies to `score`.
struct Match {
  double score = 0;
  double words = 0;   // KeywordQuery::score
  double vector = 0;  // Calibration::score of the cosine; 0 without a cosine.
  // Source of the match: "keyword", "vector", "both".
  std::string_view by() const;
};

// Strong words or a strong vector pass alone; two nearly sufficient values pass together.
double join(double words, double vector);

// The only way to a score, for the store and for the tests that measure it. Without a cosine, the words decide alone. A higher
// cosine never lowers the score.
Match match(double words, std::optional<double> cosine, const Calibration& calibration);
inline Match match(const KeywordQuery& query, const TextFeatures& text, std::optional<double> cosine,
                   const Calibration& calibration) {
  return match(query.score(text), cosine, calibration);
}
inline Match match(const KeywordQuery& query, std::string_view text, std::optional<double> cosine,
                   const Calibration& calibration) {
  return match(query, TextFeatures(text), cosine, calibration);
}

// The position among hits: importance and category reorder neighbours, and never lift a hit over the minimum.
double rank_of(double score, const Entry& entry);
inline double rank_of(const Hit& hit) { return rank_of(hit.score, hit.entry); }

}  // namespace parlance::memory
