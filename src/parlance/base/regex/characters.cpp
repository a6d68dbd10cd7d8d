// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/regex/characters.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "parlance/base/utf8.h"

namespace parlance::regex {
namespace {

const Ranges digits{{U'0', U'9'}};
const Ranges word{{U'0', U'9'}, {U'A', U'Z'}, {U'_', U'_'}, {U'a', U'z'}};
// White space and line ends of ECMA-262.
const Ranges space{{0x9, 0xD},       {0x20, 0x20},     {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
                   {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
const Ranges line_end{{0xA, 0xA}, {0xD, 0xD}, {0x2028, 0x2029}};

// Capital letters and where their small ones are: so much further on, or, at distance 1, in turns.
struct Capitals {
  char32_t first, last;
  char32_t distance;
};
constexpr std::array capitals{
    Capitals{U'A', U'Z', 32},   Capitals{0xC0, 0xD6, 32},    Capitals{0xD8, 0xDE, 32},    Capitals{0x100, 0x12E, 1},
    Capitals{0x132, 0x136, 1},  Capitals{0x139, 0x147, 1},   Capitals{0x14A, 0x176, 1},   Capitals{0x179, 0x17D, 1},
    Capitals{0x1CD, 0x1DB, 1},  Capitals{0x1DE, 0x1EE, 1},   Capitals{0x1F8, 0x21E, 1},   Capitals{0x222, 0x232, 1},
    Capitals{0x386, 0x386, 38}, Capitals{0x388, 0x38A, 37},  Capitals{0x38C, 0x38C, 64},  Capitals{0x38E, 0x38F, 63},
    Capitals{0x391, 0x3A1, 32}, Capitals{0x3A3, 0x3AB, 32},  Capitals{0x400, 0x40F, 80},  Capitals{0x410, 0x42F, 32},
    Capitals{0x460, 0x480, 1},  Capitals{0x48A, 0x4BE, 1},   Capitals{0x4C1, 0x4CD, 1},   Capitals{0x4D0, 0x52E, 1},
    Capitals{0x531, 0x556, 48}, Capitals{0x1E00, 0x1E94, 1}, Capitals{0x1EA0, 0x1EFE, 1},
};

// The part of `ranges` between two code points, moved by a distance.
void add_moved(Ranges& to, const Ranges& ranges, char32_t first, char32_t last, std::int32_t by) {
  for (const auto& [from, until] : ranges) {
    const char32_t begin = std::max(from, first);
    const char32_t end = std::min(until, last);
    if (begin <= end) to.emplace_back(begin + static_cast<char32_t>(by), end + static_cast<char32_t>(by));
  }
}

}  // namespace

char32_t code_point_above_ascii(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (!is_valid_utf8(text.substr(at, length)) || text.size() - at < length) {
    ++at;
    return 0xFFFD;
  }
  char32_t c = lead & (0xFFU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) c = (c << 6U) | (static_cast<unsigned char>(text[at + k]) & 0x3FU);
  at += length;
  return c;
}

CodePoints code_points_of(std::string_view text) {
  CodePoints all;
  all.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) all += next_code_point(text, at);
  return all;
}

bool contains(const Ranges& ranges, char32_t c) {
  return std::ranges::any_of(ranges, [c](const auto& range) { return c >= range.first && c <= range.second; });
}

bool in_sorted(const Ranges& ranges, char32_t c) {
  const auto behind = std::ranges::upper_bound(ranges, c, {}, &Ranges::value_type::first);
  return behind != ranges.begin() && c <= std::prev(behind)->second;
}

Ranges complement(Ranges ranges) {
  std::ranges::sort(ranges);
  Ranges rest;
  char32_t next = 0;
  for (const auto& [from, to] : ranges) {
    if (from > next) rest.emplace_back(next, from - 1);
    next = std::max<char32_t>(next, to + 1);
  }
  if (next <= last_code_point) rest.emplace_back(next, last_code_point);
  return rest;
}

Ranges with_other_case(const Ranges& ranges) {
  Ranges all = ranges;
  for (const Capitals& row : capitals) {
    if (row.distance != 1) {
      const auto by = static_cast<std::int32_t>(row.distance);
      add_moved(all, ranges, row.first, row.last, by);
      add_moved(all, ranges, row.first + row.distance, row.last + row.distance, -by);
      continue;
    }
    for (char32_t capital = row.first; capital <= row.last; capital += 2) {
      if (contains(ranges, capital)) all.emplace_back(capital + 1, capital + 1);
      if (contains(ranges, capital + 1)) all.emplace_back(capital, capital);
    }
  }
  return all;
}

bool is_word(char32_t c) { return contains(word, c); }
const Ranges& line_ends() { return line_end; }

std::optional<Ranges> class_of(char32_t letter) {
  switch (letter) {
    case U'd': return digits;
    case U'D': return complement(digits);
    case U'w': return word;
    case U'W': return complement(word);
    case U's': return space;
    case U'S': return complement(space);
    default: return {};
  }
}

std::optional<Ranges> posix_class(std::u32string_view name) {
  if (name == U"alpha") return Ranges{{U'A', U'Z'}, {U'a', U'z'}};
  if (name == U"digit") return digits;
  if (name == U"alnum") return Ranges{{U'0', U'9'}, {U'A', U'Z'}, {U'a', U'z'}};
  if (name == U"upper") return Ranges{{U'A', U'Z'}};
  if (name == U"lower") return Ranges{{U'a', U'z'}};
  if (name == U"space") return Ranges{{0x9, 0xD}, {U' ', U' '}};
  if (name == U"blank") return Ranges{{U'\t', U'\t'}, {U' ', U' '}};
  if (name == U"punct") return Ranges{{U'!', U'/'}, {U':', U'@'}, {U'[', U'`'}, {U'{', U'~'}};
  if (name == U"xdigit") return Ranges{{U'0', U'9'}, {U'A', U'F'}, {U'a', U'f'}};
  if (name == U"cntrl") return Ranges{{0, 0x1F}, {0x7F, 0x7F}};
  if (name == U"print") return Ranges{{U' ', U'~'}};
  if (name == U"graph") return Ranges{{U'!', U'~'}};
  if (name == U"word") return word;
  return {};
}

}  // namespace parlance::regex
