// SPDX-License-Identifier: Apache-2.0
// What a hit's score is, from what its words and its vector say, and in which order hits are shown. Pure; any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "parlance/memory/calibration.h"
#include "parlance/memory/keyword.h"
#include "parlance/memory/store.h"

namespace parlance::memory {

// Of two vectors of length 1, or of zeros. Of different dimensions: 0.
double cosine(std::span<const float> a, std::span<const float> b);

// What a text is worth to a query. All from 0 to 1; `score` is the one that a minimum is held against.
struct Match {
  double score = 0;
  double words = 0;   // KeywordQuery::score
  double vector = 0;  // Calibration::score of the cosine; 0 where there is none
  // What it was found by: "keyword", "vector", "both".
  std::string_view by() const;
};

// Strong words or a strong vector pass by themselves; when both say "nearly", they pass together.
double join(double words, double vector);

// The one way to a score, for the store and for the tests that measure it. Without a cosine the words decide alone. Never lower
// for a higher cosine.
Match match(double words, std::optional<double> cosine, const Calibration& calibration);
inline Match match(const KeywordQuery& query, const TextFeatures& text, std::optional<double> cosine,
                   const Calibration& calibration) {
  return match(query.score(text), cosine, calibration);
}
inline Match match(const KeywordQuery& query, std::string_view text, std::optional<double> cosine,
                   const Calibration& calibration) {
  return match(query, TextFeatures(text), cosine, calibration);
}

// The place among hits: importance and category reorder neighbours, and never lift a hit over the minimum.
double rank_of(double score, const Entry& entry);
inline double rank_of(const Hit& hit) { return rank_of(hit.score, hit.entry); }

}  // namespace parlance::memory
