// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/code_point.h"

#include <string>

#include "parlance/base/utf8.h"

namespace parlance {
namespace {

std::size_t expected_bytes(unsigned char first) {
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  return first >= 0xF0 && first <= 0xF4 ? 4 : 1;
}

// Whether further bytes can complete an unfinished sequence.
bool completes(std::string_view begun, std::size_t expected) {
  for (const char second : {'\x80', '\x90', '\xA0'}) {
    std::string whole(begun);
    if (whole.size() == 1) whole += second;
    whole.append(expected - whole.size(), '\x80');
    if (is_valid_utf8(whole)) return true;
  }
  return false;
}

}  // namespace

CodePoint code_point_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return {.value = first};
  const std::size_t expected = expected_bytes(first);
  if (expected == 1) return {};
  const std::string_view bytes = text.substr(at, expected);
  if (bytes.size() < expected) return {.cut = completes(bytes, expected)};
  if (!is_valid_utf8(bytes)) return {};
  char32_t value = first & (0xFFU >> (expected + 1));
  for (const char next : bytes.substr(1)) value = (value << 6) | (static_cast<unsigned char>(next) & 0x3FU);
  return {.value = value, .bytes = expected};
}

}  // namespace parlance
