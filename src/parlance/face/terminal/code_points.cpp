// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/terminal/code_points.h"

#include <algorithm>
#include <iterator>

#include "parlance/base/code_point.h"

namespace parlance::face {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};
// Marks that take no column of their own: Unicode's categories Mn, Me and Cf, as far as they are met in prose and code.
constexpr Range zero[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},  {0x064B, 0x065F},
                          {0x093C, 0x093C}, {0x0941, 0x0948}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A},  {0x0E47, 0x0E4E},
                          {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x2060, 0x2064},  {0x20D0, 0x20FF},
                          {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF}};
// East Asian Width W and F (UAX 11), with the emoji that terminals draw over two columns.
constexpr Range wide[] = {{0x1100, 0x115F},  {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x25FD, 0x25FE},
                          {0x2614, 0x2615},  {0x26A1, 0x26A1},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
                          {0x274C, 0x274C},  {0x2753, 0x2755},   {0x2795, 0x2797},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},
                          {0x2E80, 0x303E},  {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},
                          {0xA960, 0xA97F},  {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                          {0xFFE0, 0xFFE6},  {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x1FA70, 0x1FAFF},
                          {0x20000, 0x3FFFD}};

template <std::size_t count>
bool among(const Range (&ranges)[count], char32_t c) {
  const auto* after = std::ranges::upper_bound(ranges, c, {}, &Range::first);
  return after != std::begin(ranges) && c <= std::prev(after)->last;
}

}  // namespace

std::size_t columns(char32_t c) {
  if (c < 0x300) return 1;
  if (among(zero, c)) return 0;
  return among(wide, c) ? 2 : 1;
}
std::size_t columns(std::string_view text) {
  std::size_t sum = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint next = code_point_at(text, at);
    sum += columns(next.value);
    at += next.bytes;
  }
  return sum;
}

}  // namespace parlance::face
