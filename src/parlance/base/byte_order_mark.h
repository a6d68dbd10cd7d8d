// SPDX-License-Identifier: Apache-2.0
// Editors on Windows begin a UTF-8 file with a byte order mark, which a parser or a server would take for part of the first word. Any thread.
#pragma once

#include <string_view>

namespace parlance {

inline std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

}  // namespace parlance
