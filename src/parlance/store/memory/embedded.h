// SPDX-License-Identifier: Apache-2.0
// Vectors of texts from an embedder for the database. A value.
#pragma once

#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/memory/embedder.h"

namespace parlance::store {

// An embedder's result. Empty vectors: the embedder was unavailable.
struct Embedded {
  memory::EmbedderInfo embedder{};
  std::vector<memory::Vector> vectors{};
};

inline Result<void> check_dimension(const memory::EmbedderInfo& embedder, const memory::Vector& vector) {
  if (vector.size() == embedder.dimension) return {};
  return fail(Errc::failed, "the embedder " + embedder.id + " gave a vector of " + std::to_string(vector.size()) +
                                " numbers instead of " + std::to_string(embedder.dimension));
}

}  // namespace parlance::store
