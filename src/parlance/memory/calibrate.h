// SPDX-License-Identifier: Apache-2.0
// Calibrates an unmeasured embedder: embeds a few dozen general sentences with known relations, and fits a curve on which 0.7
// separates them. A fallback for services; an embedder with a measured calibration needs none.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/memory/calibration.h"
#include "parlance/memory/embedder.h"

namespace parlance::memory {

// The sentences, each once. Some 100 short texts: one batch of most services.
const std::vector<std::string>& calibration_texts();

struct Calibrated {
  Calibration calibration{};
  // The separation at a score of 0.7, on the sentences themselves; shown to people for a poor embedder.
  double precision = 0;
  double recall = 0;
};

// Cosines of related pairs, of unrelated pairs with a common word or subject, and of pairs with different subjects. If the first
// are not nearer than the others (a faulty service, equal vectors), the curve accepts equal texts only, because the vectors
// carry no information.
Calibrated calibration_from(std::span<const double> together, std::span<const double> near, std::span<const double> apart);

// `vectors` of calibration_texts(), in their order. invalid_params: a different number.
Result<Calibrated> calibration_of(std::span<const Vector> vectors);

// Calls embedder.embed once, and never info(), because info() of an embedder may call this. Errors: those of embed, and
// invalid_params for a wrong number of vectors. Loop thread.
Task<Result<Calibration>> calibrate(Embedder& embedder);

}  // namespace parlance::memory
