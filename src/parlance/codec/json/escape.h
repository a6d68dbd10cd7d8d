// SPDX-License-Identifier: Apache-2.0
// Text for the inside of a JSON string, copied and escaped in one pass into room that is there already: both the writer and rows of a
// database spend most of their time here, and JSON inside JSON (what MCP carries beside structured content) has a quote in every
// sixteen bytes. Any thread.
#pragma once

#include <cstddef>

namespace parlance::json {

inline constexpr std::size_t escaped_bytes = 6;          // what one byte becomes at most: \u001f
inline constexpr std::size_t escape_overrun_bytes = 16;  // a copy of 16 bytes may write beyond its end

enum class Accept {
  ascii,     // stop at the first other byte
  anything,  // the text was checked to be UTF-8
};

// The end of what was written; `from` is left where it stopped. Room for escaped_bytes times the text and escape_overrun_bytes more.
char* put_escaped(char* at, const char*& from, const char* end, Accept accept);

}  // namespace parlance::json
