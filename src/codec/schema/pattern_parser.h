// The text of an expression as a tree, for pattern.cpp. Values; any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace parlance::schema {

using CodePoints = std::u32string;
// From, to, both included; in any order, and may overlap.
using CodePointRanges = std::vector<std::pair<char32_t, char32_t>>;

struct PatternPiece {
  enum class Kind : std::uint8_t { one_of, sequence, choice, repeat, begin, end, word_boundary, look_ahead };
  static constexpr std::uint32_t endless = UINT32_MAX;

  Kind kind = Kind::sequence;
  CodePointRanges ranges{};           // one_of
  bool negated = false;               // one_of, word_boundary, look_ahead
  std::uint32_t least = 0;            // repeat
  std::uint32_t most = 0;             // repeat
  std::vector<PatternPiece> parts{};  // sequence and choice: any number; repeat and look_ahead: one
};

CodePoints code_points_of(std::string_view utf8);  // which is valid
bool contains(const CodePointRanges& ranges, char32_t c);
const CodePointRanges& word_characters();

Result<PatternPiece> parse_pattern(std::string_view expression);

}  // namespace parlance::schema
