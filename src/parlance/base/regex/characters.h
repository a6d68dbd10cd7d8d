// SPDX-License-Identifier: Apache-2.0
// Code points and sets of code points in expressions. Values; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace parlance::regex {

using CodePoints = std::u32string;
// Pairs of first and last character. Unordered; overlaps are allowed.
using Ranges = std::vector<std::pair<char32_t, char32_t>>;

inline constexpr char32_t last_code_point = 0x10FFFF;

char32_t code_point_above_ascii(std::string_view text, std::size_t& at);
// Moves `at` behind the character. Bytes that are not UTF-8 read as U+FFFD.
inline char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at]);
  return first < 0x80 ? (++at, first) : code_point_above_ascii(text, at);
}
CodePoints code_points_of(std::string_view text);

bool contains(const Ranges& ranges, char32_t c);
bool in_sorted(const Ranges& ranges, char32_t c);  // for ordered ranges without overlaps
Ranges complement(Ranges ranges);
Ranges with_other_case(const Ranges& ranges);  // adds the other case of each letter

bool is_word(char32_t c);
const Ranges& line_ends();
std::optional<Ranges> class_of(char32_t letter);         // \d \D \w \W \s \S
std::optional<Ranges> posix_class(std::u32string_view);  // alpha, digit, …: of ASCII

}  // namespace parlance::regex
