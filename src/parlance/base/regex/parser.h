// SPDX-License-Identifier: Apache-2.0
// The text of an expression as a tree, for program.cpp. Values; any thread.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "parlance/base/regex/characters.h"
#include "parlance/base/regex/options.h"
#include "parlance/base/result.h"

namespace parlance::regex {

struct Piece {
  enum class Kind : std::uint8_t {
    one_of,
    sequence,
    choice,
    repeat,
    begin,
    end,
    word_boundary,
    word_begin,
    word_end,
    look_ahead
  };
  static constexpr std::uint32_t endless = UINT32_MAX;

  Kind kind = Kind::sequence;
  Ranges ranges{};             // one_of
  bool negated = false;        // one_of, word_boundary, look_ahead
  std::uint32_t least = 0;     // repeat
  std::uint32_t most = 0;      // repeat
  std::vector<Piece> parts{};  // sequence and choice: any number; repeat and look_ahead: one
};

Result<Piece> parse(std::string_view expression, Options options);

}  // namespace parlance::regex
