// SPDX-License-Identifier: Apache-2.0
// Text of a model with <think> tags, cut anywhere: the same pieces come out however it is cut, and nothing is lost but the tags.
//
// The first byte says how long the pieces are; the rest is the text.
#include "parlance/base/think_tags.h"

#include <cstdint>
#include <string>
#include <vector>

#include "parlance/base/check.h"

namespace {

using namespace parlance;

// Neighbours of one kind joined.
std::vector<ThinkPiece> joined(const std::vector<ThinkPiece>& pieces) {
  std::vector<ThinkPiece> all;
  for (const ThinkPiece& piece : pieces) {
    const bool words = piece.kind == ThinkPiece::Kind::text || piece.kind == ThinkPiece::Kind::thought;
    PARLANCE_CHECK(words != piece.text.empty(), "words have a text, and nothing else has");
    if (words && !all.empty() && all.back().kind == piece.kind) all.back().text += piece.text;
    else all.push_back(piece);
  }
  return all;
}

std::vector<ThinkPiece> fed(ThinkTags::Blocks blocks, std::string_view text, std::size_t step) {
  ThinkTags tags(blocks);
  std::vector<ThinkPiece> out;
  for (; !text.empty(); text.remove_prefix(std::min(step, text.size()))) tags.feed(text.substr(0, step), out);
  tags.finish(out);
  PARLANCE_CHECK(!tags.inside(), "what is open is closed at the end");
  return joined(out);
}

void check(ThinkTags::Blocks blocks, std::string_view text, std::size_t step) {
  const auto whole = fed(blocks, text, text.size() + 1);
  PARLANCE_CHECK(fed(blocks, text, 1) == whole, "byte by byte as at once");
  PARLANCE_CHECK(fed(blocks, text, step) == whole, "in pieces as at once");
  std::string again;
  int open = 0;
  for (const ThinkPiece& piece : whole) {
    open += piece.kind == ThinkPiece::Kind::begin ? 1 : piece.kind == ThinkPiece::Kind::end ? -1 : 0;
    PARLANCE_CHECK(open == (piece.kind == ThinkPiece::Kind::begin || piece.kind == ThinkPiece::Kind::thought ? 1 : 0),
                   "blocks do not nest, and thoughts are in one");
    again += piece.text;
  }
  PARLANCE_CHECK(again.size() <= text.size(), "nothing is added");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (const auto blocks : {ThinkTags::Blocks::anywhere, ThinkTags::Blocks::leading}) check(blocks, text, 1U + data[0]);
  return 0;
}
