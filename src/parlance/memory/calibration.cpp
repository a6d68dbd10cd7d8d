// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/calibration.h"

#include <algorithm>

namespace parlance::memory {

double Calibration::score(double cosine) const {
  if (knots.empty()) return std::clamp(cosine, 0.0, 1.0);
  const auto above = std::ranges::find_if(knots, [&](const Knot& knot) { return knot.cosine > cosine; });
  if (above == knots.begin()) return knots.front().score;
  if (above == knots.end()) return knots.back().score;
  const Knot& from = *(above - 1);
  return from.score + (above->score - from.score) * (cosine - from.cosine) / (above->cosine - from.cosine);
}

}  // namespace parlance::memory
