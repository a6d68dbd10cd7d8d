// SPDX-License-Identifier: Apache-2.0
// Any bytes as a text and as a query. Checks beyond "no crash": a vector has the length 1 or is zero, equal texts give equal
// vectors, tokens are in the text in their order, and every score is from 0 to 1.
#include <cmath>
#include <cstdint>
#include <string>

#include "parlance/base/check.h"
#include "parlance/memory/builtin_embedder.h"
#include "parlance/memory/ranking.h"

namespace {

using namespace parlance;

void check_tokens(std::string_view text) {
  const memory::TextFeatures features(text);
  std::size_t folded = 0;
  std::size_t written = 0;
  for (const memory::Token& token : features.tokens()) {
    PARLANCE_CHECK(token.size > 0 && token.characters > 0 && token.begin >= folded, "tokens in their order, none empty");
    PARLANCE_CHECK(token.written_begin >= written && token.written_end > token.written_begin, "as in the text");
    folded = token.begin + token.size;
    written = token.written_end;
  }
  PARLANCE_CHECK(folded <= features.folded().size() && written <= text.size(), "tokens within the text");
}

void check_score(double score) { PARLANCE_CHECK(score >= 0 && score <= 1, "a score from 0 to 1"); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const memory::Vector vector = memory::embed_text(bytes);
  PARLANCE_CHECK(vector.size() == memory::builtin_dimension, "the dimension that is told");
  const double squares = memory::cosine(vector, vector);
  PARLANCE_CHECK(squares == 0 || std::abs(squares - 1) < 1e-5, "length one, or nothing");
  PARLANCE_CHECK(vector == memory::embed_text(std::string(bytes)), "the same text, the same vector");
  check_tokens(bytes);

  // The first line asks, the rest answers; then the other way round.
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  const std::string_view first = bytes.substr(0, end);
  const std::string_view rest = bytes.substr(std::min(end + 1, bytes.size()));
  for (const auto& [asked, text] : {std::pair(first, rest), std::pair(rest, first), std::pair(first, first)}) {
    const memory::KeywordQuery query(asked);
    check_score(query.score(text));
    const double cosine = memory::cosine(memory::embed_text(asked), memory::embed_text(text));
    check_score(memory::match(query, text, cosine, memory::builtin_calibration()).score);
  }
  const memory::KeywordQuery itself(first);
  PARLANCE_CHECK(itself.terms().empty() || itself.score(first) > 0.9, "a text answers itself");
  return 0;
}
