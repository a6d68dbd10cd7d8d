// SPDX-License-Identifier: Apache-2.0
// Removes the byte order mark that editors on Windows put at the start of a UTF-8 file. A parser would read the mark as part of the
// first word. The result is a view of `text`. Any thread.
#pragma once

#include <string_view>

namespace parlance {

inline std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

}  // namespace parlance
