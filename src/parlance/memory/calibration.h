// SPDX-License-Identifier: Apache-2.0
// Cosines of different embedders are not comparable: 0.8 may mean a different or the same topic. A calibration is the curve from
// an embedder's cosine to a score of 0 to 1. From 0.7 on, people see a match. Pure; any thread.
#pragma once

#include <vector>

namespace parlance::memory {

struct Calibration {
  struct Knot {
    double cosine = 0;
    double score = 0;
    friend bool operator==(const Knot&, const Knot&) = default;
  };
  // Rising in both. Between knots the curve is straight, outside it is level. Empty: the score is the cosine, not below 0.
  std::vector<Knot> knots{};

  double score(double cosine) const;
  friend bool operator==(const Calibration&, const Calibration&) = default;
};

}  // namespace parlance::memory
