// SPDX-License-Identifier: Apache-2.0
// Syntax and cost limits of a regular expression. Values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace parlance::regex {

// Characters of an expression; zod's expression for a time stamp has 500.
inline constexpr std::size_t expression_bytes = 4 << 10;
inline constexpr std::size_t program_steps = 20'000;     // Highest product of nested repetitions.
inline constexpr int group_depth = 100;                  // Highest depth of groups, because the parser recurses.
inline constexpr std::size_t dfa_cache_bytes = 4 << 20;  // Size of a Matcher's cache in bytes. A full cache is cleared.

enum class Syntax : std::uint8_t { ecma, grep };
struct Options {
  Syntax syntax = Syntax::ecma;
  bool ignore_case = false;
};

}  // namespace parlance::regex
