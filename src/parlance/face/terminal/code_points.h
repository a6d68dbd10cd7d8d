// The characters of UTF-8 text that may end in the middle of one, and how many columns of a terminal they take. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace parlance::face {

struct CodePoint {
  char32_t value = 0xFFFD;  // U+FFFD for a byte that begins no character
  std::size_t bytes = 1;
  bool cut = false;  // the text ends before the character does, and more bytes could complete it
};
CodePoint code_point_at(std::string_view text, std::size_t at);  // at < text.size()

// Columns: 0 for marks that join the character before them, 2 for East Asian wide ones and emoji. Controls count as 1.
std::size_t columns(char32_t c);
std::size_t columns(std::string_view text);

}  // namespace parlance::face
