// SPDX-License-Identifier: Apache-2.0
// The labelled pairs, and how well an embedder with the store's own ranking tells matches from the rest. For any embedder: built in,
// behind a service. Tests only.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/memory/embedder.h"
#include "parlance/memory/ranking.h"

namespace parlance::test {

struct LabelledPair {
  std::string query{};
  std::string text{};
  bool match = false;
  std::string kind{};  // words, paraphrase, other, hard
  std::string lang{};  // en, zh, mixed
};

// Lines of tests/memory/README.md.
Result<std::vector<LabelledPair>> read_pairs(const std::string& file);

struct ScoredPair {
  LabelledPair pair{};
  double cosine = 0;
  memory::Match match{};
};
Task<Result<std::vector<ScoredPair>>> score_pairs(memory::Embedder& embedder, std::vector<LabelledPair> pairs);

struct Figures {
  std::size_t found = 0;   // matches at or above the minimum
  std::size_t missed = 0;  // matches below
  std::size_t wrong = 0;   // others at or above
  double precision() const;
  double recall() const;
};
// Of the pairs of these kinds; `wrong` among hard and other.
Figures figures(std::span<const ScoredPair> pairs, std::span<const std::string_view> kinds, double min_score);

// The curve as a table: precision and recall of pairs that share words, recall of paraphrases, at minima from 0.3 to 0.95; and by
// language at the default.
std::string report(std::string_view title, std::span<const ScoredPair> pairs);

}  // namespace parlance::test
