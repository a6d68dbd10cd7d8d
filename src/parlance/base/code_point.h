// SPDX-License-Identifier: Apache-2.0
// Decodes UTF-8 one code point at a time, from text that may end inside a character. Pure; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace parlance {

struct CodePoint {
  char32_t value = 0xFFFD;  // U+FFFD for a byte that begins no character
  std::size_t bytes = 1;
  bool cut = false;  // the text ends inside the character, and further bytes could complete it
};
CodePoint code_point_at(std::string_view text, std::size_t at);  // at < text.size()

}  // namespace parlance
