// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/text/characters.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "parlance/base/utf8.h"
#include "parlance/memory/text/vocabulary_tables.h"

namespace parlance::memory {
namespace {

struct Range {
  char32_t last;               // the first is one behind the entry before
  std::string_view counts_as;  // "": as itself
};

// Latin letters with accents, by their base letter.
constexpr Range latin[] = {
    {0xbf, ""},    {0xc5, "a"},   {0xc6, "ae"},  {0xc7, "c"},   {0xcb, "e"},   {0xcf, "i"},    {0xd0, "d"},   {0xd1, "n"},
    {0xd6, "o"},   {0xd7, ""},    {0xd8, "o"},   {0xdc, "u"},   {0xdd, "y"},   {0xde, "th"},   {0xdf, "ss"},  {0xe5, "a"},
    {0xe6, "ae"},  {0xe7, "c"},   {0xeb, "e"},   {0xef, "i"},   {0xf0, "d"},   {0xf1, "n"},    {0xf6, "o"},   {0xf7, ""},
    {0xf8, "o"},   {0xfc, "u"},   {0xfd, "y"},   {0xfe, "th"},  {0xff, "y"},   {0x105, "a"},   {0x10d, "c"},  {0x111, "d"},
    {0x11b, "e"},  {0x123, "g"},  {0x127, "h"},  {0x131, "i"},  {0x133, "ij"}, {0x135, "j"},   {0x138, "k"},  {0x142, "l"},
    {0x14b, "n"},  {0x151, "o"},  {0x153, "oe"}, {0x159, "r"},  {0x161, "s"},  {0x167, "t"},   {0x173, "u"},  {0x175, "w"},
    {0x178, "y"},  {0x17e, "z"},  {0x17f, "s"},  {0x19f, ""},   {0x1a1, "o"},  {0x1ae, ""},    {0x1b0, "u"},  {0x1cc, ""},
    {0x1ce, "a"},  {0x1d0, "i"},  {0x1d2, "o"},  {0x1dc, "u"},  {0x217, ""},   {0x219, "s"},   {0x21b, "t"},  {0x1dff, ""},
    {0x1e01, "a"}, {0x1e07, "b"}, {0x1e09, "c"}, {0x1e13, "d"}, {0x1e1d, "e"}, {0x1e1f, "f"},  {0x1e21, "g"}, {0x1e2b, "h"},
    {0x1e2f, "i"}, {0x1e35, "k"}, {0x1e3d, "l"}, {0x1e43, "m"}, {0x1e4b, "n"}, {0x1e53, "o"},  {0x1e57, "p"}, {0x1e5f, "r"},
    {0x1e69, "s"}, {0x1e71, "t"}, {0x1e7b, "u"}, {0x1e7f, "v"}, {0x1e89, "w"}, {0x1e8d, "x"},  {0x1e8f, "y"}, {0x1e95, "z"},
    {0x1e96, "h"}, {0x1e97, "t"}, {0x1e98, "w"}, {0x1e99, "y"}, {0x1e9d, ""},  {0x1e9e, "ss"}, {0x1e9f, ""},  {0x1eb7, "a"},
    {0x1ec7, "e"}, {0x1ecb, "i"}, {0x1ee3, "o"}, {0x1ef1, "u"}, {0x1ef9, "y"},
};

struct Pair {
  char32_t from, to;
};
constexpr Pair greek_accents[] = {{0x386, 0x3b1}, {0x388, 0x3b5}, {0x389, 0x3b7}, {0x38a, 0x3b9}, {0x38c, 0x3bf}, {0x38e, 0x3c5},
                                  {0x38f, 0x3c9}, {0x390, 0x3b9}, {0x3aa, 0x3b9}, {0x3ab, 0x3c5}, {0x3ac, 0x3b1}, {0x3ad, 0x3b5},
                                  {0x3ae, 0x3b7}, {0x3af, 0x3b9}, {0x3b0, 0x3c5}, {0x3c2, 0x3c3}, {0x3ca, 0x3b9}, {0x3cb, 0x3c5},
                                  {0x3cc, 0x3bf}, {0x3cd, 0x3c5}, {0x3ce, 0x3c9}};

// U+FF66 … U+FF9D, in their order.
constexpr std::u32string_view half_width_katakana =
    U"ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン";

char32_t fold_greek(char32_t c) {
  const auto* accent = std::ranges::find(greek_accents, c, &Pair::from);
  if (accent != std::end(greek_accents)) return accent->to;
  return c >= 0x391 && c <= 0x3a9 ? c + 32 : c;
}

char32_t fold_cyrillic(char32_t c) {
  if (c <= 0x40f) c += 80;
  else if (c <= 0x42f) c += 32;
  else if ((c >= 0x460 && c <= 0x481) || (c >= 0x48a && c <= 0x4bf) || c >= 0x4d0) c |= 1;
  switch (c) {
    case 0x451: return 0x435;  // ё
    case 0x439: return 0x438;  // й
    case 0x457: return 0x456;  // ї
    default: return c;
  }
}

const std::vector<Pair>& simplifications() {
  static const std::vector<Pair> pairs = [] {
    std::vector<Pair> all;
    const VocabularyTables& tables = vocabulary_tables();
    std::size_t from = 0;
    std::size_t to = 0;
    while (from < tables.traditional.size() && to < tables.simplified.size()) {
      const char32_t traditional = next_character(tables.traditional, from);
      all.push_back({traditional, next_character(tables.simplified, to)});
    }
    std::ranges::sort(all, {}, &Pair::from);
    return all;
  }();
  return pairs;
}

char32_t fold_han(char32_t c) {
  const auto& pairs = simplifications();
  const auto found = std::ranges::lower_bound(pairs, c, {}, &Pair::from);
  return found != pairs.end() && found->from == c ? found->to : c;
}

bool within(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

}  // namespace

char32_t next_character(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) -> unsigned { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  const unsigned first = byte(at);
  if (first < 0x80) {
    ++at;
    return first;
  }
  const std::size_t size = first >= 0xc2 && first < 0xe0   ? 2
                           : first >= 0xe0 && first < 0xf0 ? 3
                           : first >= 0xf0 && first < 0xf5 ? 4
                                                           : 0;
  char32_t value = size == 0 ? 0 : first & (0x7fU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    const unsigned next = byte(at + i);
    if ((next & 0xc0U) != 0x80) {
      value = 0;
      break;
    }
    value = value << 6 | (next & 0x3fU);
  }
  static constexpr char32_t least[] = {1, 0, 0x80, 0x800, 0x10000};
  if (value < least[size] || value > 0x10ffff || within(value, 0xd800, 0xdfff)) {
    ++at;
    return 0xfffd;
  }
  at += size;
  return value;
}

Script script_of(char32_t c) {
  if (c < 0x80) {
    if (within(c, 'a', 'z') || within(c, 'A', 'Z')) return Script::letter;
    return within(c, '0', '9') ? Script::digit : Script::separator;
  }
  if (within(c, 0x300, 0x36f) || c == 0xad || within(c, 0x200b, 0x200d) || within(c, 0xfe00, 0xfe0f) || c == 0x3099 ||
      c == 0x309a)
    return Script::mark;
  if (c <= 0xbf) return c == 0xaa || c == 0xb5 || c == 0xba ? Script::letter : Script::separator;
  if (c == 0xd7 || c == 0xf7 || within(c, 0x2000, 0x206f)) return Script::separator;
  if (c < 0x3000) return Script::letter;
  if (c == 0x3005 || c == 0x3007) return Script::han;
  if (c <= 0x303f) return Script::separator;
  if (c <= 0x309f) return Script::hiragana;
  if (c == 0x30a0 || c == 0x30fb) return Script::separator;
  if (c <= 0x30ff || within(c, 0x31f0, 0x31ff) || within(c, 0xff66, 0xff9d)) return Script::katakana;
  if (within(c, 0x3400, 0x9fff) || within(c, 0xf900, 0xfaff) || within(c, 0x20000, 0x3ffff)) return Script::han;
  if (within(c, 0xac00, 0xd7af) || within(c, 0x3131, 0x318e)) return Script::hangul;
  if (within(c, 0xff10, 0xff19)) return Script::digit;
  if (within(c, 0xff00, 0xff65))
    return within(c, 0xff21, 0xff3a) || within(c, 0xff41, 0xff5a) ? Script::letter : Script::separator;
  return within(c, 0xfe10, 0xfe6f) || c >= 0xfff0 ? (c >= 0x10000 ? Script::letter : Script::separator) : Script::letter;
}

void append_folded(std::string& out, char32_t c) {
  if (within(c, 0xff01, 0xff5e)) c -= 0xfee0;
  if (c < 0x80) {
    out += static_cast<char>(within(c, 'A', 'Z') ? c + 32 : c);
    return;
  }
  if (script_of(c) == Script::mark) return;
  if (c <= 0x21b || within(c, 0x1e00, 0x1ef9)) {
    const std::string_view base = std::ranges::lower_bound(latin, c, {}, &Range::last)->counts_as;
    if (!base.empty()) {
      out += base;
      return;
    }
  }
  if (within(c, 0x386, 0x3ce)) c = fold_greek(c);
  else if (within(c, 0x400, 0x52f)) c = fold_cyrillic(c);
  else if (within(c, 0x531, 0x556)) c += 48;
  else if (within(c, 0xff66, 0xff9d)) c = half_width_katakana[c - 0xff66];
  else if (within(c, 0x4e00, 0x9fff)) c = fold_han(c);
  append_utf8(out, c);
}

std::string folded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) append_folded(out, next_character(text, at));
  return out;
}

}  // namespace parlance::memory
