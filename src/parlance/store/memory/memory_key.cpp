// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/memory/memory_key.h"

#include <cstdint>
#include <vector>

#include "parlance/base/sha256.h"
#include "parlance/base/utf8.h"

namespace parlance::store {
namespace {

char32_t next_character(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(at);
  if (first < 0x80) return text[at++];
  const std::size_t more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
  char32_t c = first & (0x3fU >> more);
  for (std::size_t i = 1; i <= more; ++i) c = c << 6 | (byte(at + i) & 0x3fU);
  at += more + 1;
  return c;
}

// Maps full-width letters, digits and signs of East Asian keyboards to ASCII.
char32_t half_width(char32_t c) {
  if (c >= 0xff01 && c <= 0xff5e) return c - 0xfee0;
  if (c == 0x3002 || c == 0xff61) return U'.';  // 。
  if (c == 0x3001 || c == 0xff64) return U',';  // 、
  return c;
}

// Lower case of scripts with adjacent pairs of letters.
char32_t lower(char32_t c) {
  if (c >= U'A' && c <= U'Z') return c + 32;
  if (c < 0xc0) return c;
  if (c <= 0xde && c != 0xd7) return c + 32;                                       // Latin-1
  if ((c >= 0x100 && c <= 0x137) || (c >= 0x14a && c <= 0x177)) return c | 1;      // Latin Extended-A
  if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17e)) return c + c % 2;  // … with odd capitals
  if (c >= 0x391 && c <= 0x3a9) return c + 32;                                     // Greek
  if (c >= 0x400 && c <= 0x40f) return c + 80;                                     // Cyrillic
  if (c >= 0x410 && c <= 0x42f) return c + 32;
  return c;
}

bool is_blank(char32_t c) {
  return c == U' ' || (c >= 9 && c <= 13) || c == 0x85 || c == 0xa0 || (c >= 0x2000 && c <= 0x200b) || c == 0x2028 ||
         c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000 || c == 0xfeff;
}

// Sentence punctuation without meaning.
bool is_punctuation(char32_t c) {
  switch (c) {
    case U'.':
    case U',':
    case U';':
    case U':':
    case U'!':
    case U'?':
    case U'\'':
    case U'"':
    case U'`':
    case U'(':
    case U')':
    case U'[':
    case U']':
    case U'{':
    case U'}':
    case U'-':
    case 0xa1:
    case 0xab:
    case 0xb7:
    case 0xbb:
    case 0xbf: return true;
    default: return (c >= 0x2010 && c <= 0x2027) || (c >= 0x2039 && c <= 0x203a) || (c >= 0x3008 && c <= 0x301f) || c == 0x30fb;
  }
}

// Characters with a meaning inside words and numbers.
bool is_joint(char32_t c) { return c == U'.' || c == U',' || c == U':' || c == U'-' || c == U'\'' || c == 0x2019; }

bool is_ideograph(char32_t c) {
  return (c >= 0x3041 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x9fff) || (c >= 0xac00 && c <= 0xd7af) ||
         (c >= 0xf900 && c <= 0xfaff) || (c >= 0x20000 && c <= 0x3ffff);
}

bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool is_letter(char32_t c) { return !is_blank(c) && !is_punctuation(c); }

}  // namespace

std::string normalised_text(std::string_view text) {
  std::vector<char32_t> all;
  for (std::size_t at = 0; at < text.size();) all.push_back(lower(half_width(next_character(text, at))));
  std::string out;
  char32_t before = 0;  // the last kept character
  bool blank = false;   // since then
  for (std::size_t i = 0; i < all.size(); ++i) {
    const char32_t c = all[i];
    if (is_blank(c)) {
      blank = true;
      continue;
    }
    if (is_punctuation(c)) {
      const char32_t left = i > 0 ? all[i - 1] : U' ';
      const char32_t right = i + 1 < all.size() ? all[i + 1] : U' ';
      // 10:30, 1.5, well-known, don't; -5. Not 好,的: between ideographs a sign is never part of a word.
      const bool inside = is_joint(c) && is_letter(left) && is_letter(right) && !is_ideograph(left) && !is_ideograph(right);
      const bool sign = c == U'-' && is_digit(right) && !is_letter(left);
      if (!inside && !sign) {
        blank = true;
        continue;
      }
    }
    // Blanks beside ideographs are optional in writing.
    if (blank && before != 0 && !is_ideograph(before) && !is_ideograph(c)) out += ' ';
    append_utf8(out, c);
    before = c;
    blank = false;
  }
  return out.empty() ? std::string(text) : out;  // a text of punctuation alone is its own key
}

std::string memory_key(std::string_view text) { return sha256_hex(normalised_text(text)); }

}  // namespace parlance::store
