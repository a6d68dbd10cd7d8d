// SPDX-License-Identifier: Apache-2.0
// The NFA simulation for programs with look-ahead: all threads, one character after the other. The result of each look-ahead at a
// position is computed once.
#pragma once

#include <cstddef>
#include <string_view>

#include "parlance/base/regex/program.h"

namespace parlance::regex {

bool run_with_lookahead(const Program& program, std::string_view text, std::size_t& work);

}  // namespace parlance::regex
