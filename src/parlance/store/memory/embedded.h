// SPDX-License-Identifier: Apache-2.0
// Texts' vectors on their way from an embedder to the database. A value.
#pragma once

#include <string>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/memory/embedder.h"

namespace parlance::store {

// What an embedder made of some texts. No vectors at all: it could not be reached.
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
