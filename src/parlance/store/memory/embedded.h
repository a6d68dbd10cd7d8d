// Texts' vectors on their way from an embedder to the database. A value.
#pragma once

#include <vector>

#include "parlance/memory/embedder.h"

namespace parlance::store {

// What an embedder made of some texts. No vectors at all: it could not be reached.
struct Embedded {
  memory::EmbedderInfo embedder{};
  std::vector<memory::Vector> vectors{};
};

}  // namespace parlance::store
