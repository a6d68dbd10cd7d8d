// SPDX-License-Identifier: Apache-2.0
// Text of models and tools, made harmless for a terminal: it cannot move the cursor, set the title, fill the clipboard, pose as an answer
// of the terminal or hide characters. Any thread; no state outside the object.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/visible_text.h"

namespace parlance::face {

// A stream that may be cut at any byte. The output is whole, valid UTF-8, and the same wherever the stream was cut. It equals
// `visible_text` of the whole text, read as prose.
class SafeText {
 public:
  std::string feed(std::string_view text);
  std::string finish();  // the rest, when its last character never ended

 private:
  std::string held_;  // the beginning of a character, or a carriage return: three bytes at most
  VisibleText visible_{Reading::prose};
};

}  // namespace parlance::face
