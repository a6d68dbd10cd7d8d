// SPDX-License-Identifier: Apache-2.0
// Cuts a stream of bytes into pieces of whole characters. Values; any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/utf8.h"

namespace parlance::toolbox {

// One stream.
class Utf8Pieces {
 public:
  // The complete part as valid text; an incomplete character waits for the next piece.
  std::string add(std::string_view piece) {
    held_ += piece;
    const std::size_t whole = complete(held_);
    std::string text = to_valid_utf8(std::string_view(held_).substr(0, whole));
    held_.erase(0, whole);
    return text;
  }

 private:
  static std::size_t complete(std::string_view text) {
    for (std::size_t back = 1; back <= 4 && back <= text.size(); ++back) {
      const auto byte = static_cast<unsigned char>(text[text.size() - back]);
      if ((byte & 0xC0) == 0x80) continue;
      const std::size_t needs = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
      return needs > back ? text.size() - back : text.size();
    }
    return text.size();
  }
  std::string held_;
};

}  // namespace parlance::toolbox
