// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/ranking.h"

#include <algorithm>
#include <array>

namespace parlance::memory {

double cosine(std::span<const float> a, std::span<const float> b) {
  if (a.size() != b.size()) return 0;
  // Four sums that do not wait for each other.
  constexpr std::size_t lanes = 4;
  std::array<double, lanes> sums{};
  std::size_t i = 0;
  for (; i + lanes <= a.size(); i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      sums[lane] += static_cast<double>(a[i + lane]) * static_cast<double>(b[i + lane]);
  for (; i < a.size(); ++i) sums[i % lanes] += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sums[0] + sums[1] + (sums[2] + sums[3]);
}

double join(double words, double vector) {
  // The weaker score adds at most this part of the rest to 1: 0.65 and 0.5 pass the default minimum, 0.5 and 0.6 do not.
  static constexpr double support = 0.3;
  const double stronger = std::max(words, vector);
  return stronger + (1 - stronger) * support * std::min(words, vector);
}

Match match(double words, std::optional<double> cosine, const Calibration& calibration) {
  const double vector = cosine ? calibration.score(*cosine) : 0;
  return {.score = join(words, vector), .words = words, .vector = vector};
}

std::string_view Match::by() const {
  static constexpr double much_less = 0.6;
  if (vector < words * much_less) return "keyword";
  return words < vector * much_less ? "vector" : "both";
}

double rank_of(double score, const Entry& entry) {
  static constexpr double category_boost[] = {0.03, 0.04, 0.02, 0.01, 0};
  return score + 0.05 * entry.importance + category_boost[static_cast<std::size_t>(entry.category)];
}

}  // namespace parlance::memory
