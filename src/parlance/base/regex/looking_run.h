// SPDX-License-Identifier: Apache-2.0
// Whether a program that looks ahead fits a text: all its ways, one character after the other, and each look-ahead once a place.
#pragma once

#include <cstddef>
#include <string_view>

#include "parlance/base/regex/program.h"

namespace parlance::regex {

bool looking_run(const Program& program, std::string_view text, std::size_t& work);

}  // namespace parlance::regex
