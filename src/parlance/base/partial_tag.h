// SPDX-License-Identifier: Apache-2.0
// Finds a tag cut between two pieces of a stream. Pure; any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace parlance {

// Length of the longest end of `text` that is a proper beginning of `tag`. 0: none.
inline std::size_t partial_tag(std::string_view text, std::string_view tag) {
  for (std::size_t length = std::min(text.size(), tag.size() - 1); length > 0; --length)
    if (text.ends_with(tag.substr(0, length))) return length;
  return 0;
}

}  // namespace parlance
