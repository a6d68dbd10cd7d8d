// SPDX-License-Identifier: Apache-2.0
// A compiled expression: a list of steps for an NFA simulation with all threads at once (Thompson's construction in Pike's
// form). An immutable value; any thread.
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
    // jump: the target; split: the second target; look_ahead: the step after its body, which begins at the next step.
    std::uint32_t to = 0;
    std::uint32_t what = 0;  // one_of: index of the set; look_ahead: its number.
  };
  std::vector<Step> steps;
  std::vector<Ranges> sets;
  std::uint32_t look_aheads = 0;
  bool asks_for_words = false;  // True: a step tests word boundaries.
};

Result<Program> compile(const Piece& piece);

}  // namespace parlance::regex
