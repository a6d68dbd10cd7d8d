// SPDX-License-Identifier: Apache-2.0
// What turns a text into a vector whose angle to another says how near the two are in meaning. Built in (builtin_embedder.h), or a
// service over HTTP (server/embed/embedder_via_http.h). Loop thread; implementations work elsewhere when the work is long.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/memory/calibration.h"
#include "parlance/memory/limits.h"

namespace parlance::memory {

// Of length 1, or all zeros: then there was nothing in the text to embed, and it is like nothing.
using Vector = std::vector<float>;

struct EmbedderInfo {
  // Names what the numbers mean: program, version and dimension ("parlance-1/384", "http:nomic-embed-text/768"). Vectors of
  // different ids are never compared.
  std::string id{};
  std::size_t dimension = 0;
  Calibration calibration{};  // from cosine to the score that a person reads
  friend bool operator==(const EmbedderInfo&, const EmbedderInfo&) = default;
};

class Embedder {
 public:
  virtual ~Embedder() = default;

  // A service is asked at the first call; the answer is kept until `embed` sees another dimension.
  virtual Task<Result<EmbedderInfo>> info() = 0;

  // One vector for each text, in their order; all of info().dimension. The texts are valid UTF-8 and within
  // limits::memory_text_bytes. Errors: those of the service (unavailable, deadline, …), after the embedder's own retries.
  virtual Task<Result<std::vector<Vector>>> embed(std::vector<std::string> texts) = 0;
};

}  // namespace parlance::memory
