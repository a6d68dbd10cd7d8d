// SPDX-License-Identifier: Apache-2.0
// The embedder without download and service. It hashes a text's words, their stems, everyday synonyms and parts to places of the
// vector; texts that share these are near, in any language. The same text gives the same bytes on every machine
// (docs/decisions/0010-builtin-embedder.md), so stored vectors stay valid. A change of a weight, the vocabulary or a hash must
// change `id` too; the golden test checks this.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/memory/embedder.h"

namespace parlance::memory {

inline constexpr std::size_t builtin_dimension = 384;
inline constexpr std::string_view builtin_embedder_id = "parlance-1/384";

// Any bytes of any length; bytes outside of UTF-8 separate words. Zeros for a text without letters and digits. Any thread.
Vector embed_text(std::string_view text);

// Scores from cosines of these vectors; the knots are fitted on tests/memory/pairs.dev.jsonl.
const Calibration& builtin_calibration();

// Embeds on the calling thread, some 30 µs for a short text. A worker with thousands of texts calls embed_text itself.
class BuiltinEmbedder : public Embedder {
 public:
  Task<Result<EmbedderInfo>> info() override;
  Task<Result<std::vector<Vector>>> embed(std::vector<std::string> texts) override;
};

}  // namespace parlance::memory
