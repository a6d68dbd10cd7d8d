// SPDX-License-Identifier: Apache-2.0
// Finds the calibration of an embedder that nobody has measured yet: it embeds a few dozen general sentences of which we know
// which belong together, and the curve is laid so that 0.7 separates them. A fallback for services; an embedder with a measured
// calibration of its own needs none.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/memory/calibration.h"
#include "parlance/memory/embedder.h"

namespace parlance::memory {

// The sentences, each once. Some 100 short ones: one batch of most services.
const std::vector<std::string>& calibration_texts();

struct Calibrated {
  Calibration calibration{};
  // At a score of 0.7, on the sentences themselves; what a person may be told of a poor embedder.
  double precision = 0;
  double recall = 0;
};

// Cosines of pairs that belong together, of pairs that share a word or a subject and do not, and of pairs of different subjects.
// An embedder for which the first are not nearer than the others (a broken service, all vectors alike) gets a curve on which
// nothing but the same text scores: its vectors say nothing.
Calibrated calibration_from(std::span<const double> together, std::span<const double> near, std::span<const double> apart);

// `vectors` of calibration_texts(), in their order. invalid_params: not as many.
Result<Calibrated> calibration_of(std::span<const Vector> vectors);

// Calls embedder.embed once, and never info(): an embedder may call this to answer that. Errors: those of embed, and
// invalid_params for a wrong number of vectors. Loop thread.
Task<Result<Calibration>> calibrate(Embedder& embedder);

}  // namespace parlance::memory
