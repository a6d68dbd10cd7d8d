// SPDX-License-Identifier: Apache-2.0
// The embedder that is always there: nothing to download, nothing to start. A text becomes its words, their stems, their everyday
// synonyms and their parts, each hashed to places of the vector; near in angle is what shares them, in any language. The same text
// gives the same bytes on every machine (docs/decisions/0010-builtin-embedder.md), so stored vectors stay good; whoever changes a
// weight, the vocabulary or a hash changes `id` as well, and the golden test says so.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/memory/embedder.h"

namespace parlance::memory {

inline constexpr std::size_t builtin_dimension = 384;
inline constexpr std::string_view builtin_embedder_id = "parlance-1/384";

// Any bytes, any length; what is not UTF-8 separates words. Zeros when there is no letter or digit in it. Any thread.
Vector embed_text(std::string_view text);

// From cosines of these vectors; the knots were fitted on tests/memory/pairs.dev.jsonl.
const Calibration& builtin_calibration();

// Embeds where it is called, some 30 µs for a short text: a worker that has thousands calls embed_text itself.
class BuiltinEmbedder : public Embedder {
 public:
  Task<Result<EmbedderInfo>> info() override;
  Task<Result<std::vector<Vector>>> embed(std::vector<std::string> texts) override;
};

}  // namespace parlance::memory
