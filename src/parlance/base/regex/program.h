// SPDX-License-Identifier: Apache-2.0
// An expression as a row of small steps, all ways through which can be followed at once (Thompson's construction as Pike wrote it down).
// A value that never changes; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "parlance/base/regex/characters.h"
#include "parlance/base/regex/parser.h"
#include "parlance/base/result.h"

namespace parlance::regex {

struct Program {
  enum class Op : std::uint8_t { one_of, split, jump, begin, end, word_boundary, word_begin, word_end, look_ahead, accept };
  struct Step {
    Op op = Op::accept;
    bool negated = false;
    std::uint32_t to = 0;    // jump; split: besides the next step; look_ahead: behind what it looks for, which is the next step
    std::uint32_t what = 0;  // one_of: which set; look_ahead: its number
  };
  std::vector<Step> steps;
  std::vector<Ranges> sets;
  std::uint32_t look_aheads = 0;
  bool asks_for_words = false;  // some step needs to know where words begin and end
};

Result<Program> compile(const Piece& piece);

}  // namespace parlance::regex
