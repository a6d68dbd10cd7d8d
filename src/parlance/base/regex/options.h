// SPDX-License-Identifier: Apache-2.0
// How an expression is spelled, and what one may cost. Values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parlance::regex {

inline constexpr std::size_t expression_bytes = 4 << 10;  // Of one expression; zod's for a point in time has 500.
inline constexpr std::size_t program_steps = 20'000;      // What its repetitions multiply to.
inline constexpr int group_depth = 100;                   // Groups within groups: the parser recurses.
inline constexpr std::size_t learned_bytes = 4 << 20;     // What a Matcher keeps of what it found out; then it begins anew.

enum class Syntax : std::uint8_t { ecma, grep };
struct Options {
  Syntax syntax = Syntax::ecma;
  bool ignore_case = false;
};

}  // namespace parlance::regex
