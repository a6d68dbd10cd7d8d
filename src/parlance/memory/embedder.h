// SPDX-License-Identifier: Apache-2.0
// Converts a text into a vector; the angle between two vectors measures the similarity of meaning. Built in
// (builtin_embedder.h), or a service over HTTP (server/embed/embedder_via_http.h). Loop thread; implementations do long work
// elsewhere.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/memory/calibration.h"
#include "parlance/memory/limits.h"

namespace parlance::memory {

// Of length 1, or all zeros for a text without content, which is similar to no text.
using Vector = std::vector<float>;

struct EmbedderInfo {
  // Identifies the meaning of the numbers: program, version and dimension ("parlance-1/384", "http:nomic-embed-text/768").
  // Vectors of different ids are never compared.
  std::string id{};
  std::size_t dimension = 0;
  Calibration calibration{};  // From cosine to the score for people.
  friend bool operator==(const EmbedderInfo&, const EmbedderInfo&) = default;
};

class Embedder {
 public:
  virtual ~Embedder() = default;

  // Asks the service at the first call, and caches the answer until `embed` sees another dimension.
  virtual Task<Result<EmbedderInfo>> info() = 0;

  // Vectors in the order of the texts, each of info().dimension. The texts are valid UTF-8 and within limits::memory_text_bytes.
  // Errors: those of the service (unavailable, deadline, …), after the embedder's own retries.
  virtual Task<Result<std::vector<Vector>>> embed(std::vector<std::string> texts) = 0;
};

}  // namespace parlance::memory
