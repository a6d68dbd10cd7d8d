// SPDX-License-Identifier: Apache-2.0
// Copies and escapes text for the inside of a JSON string, in one pass into existing space. The writer and rows of a database
// spend most of their time here, and JSON inside JSON (MCP's text beside structured content) has a quote in every sixteen bytes.
// Any thread.
#pragma once

#include <cstddef>

namespace parlance::json {

inline constexpr std::size_t escaped_bytes = 6;          // Longest form of a byte: \u001f
inline constexpr std::size_t escape_overrun_bytes = 16;  // A copy of 16 bytes may write beyond its end.

enum class Accept {
  ascii,     // Stop at the first other byte.
  anything,  // The text is valid UTF-8.
};

// Returns the end of the output; `from` has the position of the stop. The output needs escaped_bytes times the text and
// escape_overrun_bytes more.
char* put_escaped(char* at, const char*& from, const char* end, Accept accept);

}  // namespace parlance::json
