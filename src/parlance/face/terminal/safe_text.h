// SPDX-License-Identifier: Apache-2.0
// Makes text of models and tools harmless for a terminal: no cursor moves, no window titles, no clipboard writes, no fake
// terminal answers, no hidden characters. Any thread; no global state.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/visible_text.h"

namespace parlance::face {

// A stream in pieces of any size. The output is valid UTF-8 and independent of the sizes of pieces. The output equals
// `visible_text` of the whole text, read as prose.
class SafeText {
 public:
  std::string feed(std::string_view text);
  std::string finish();  // the rest after an incomplete character

 private:
  std::string held_;  // the beginning of a character, or a carriage return: at most three bytes
  VisibleText visible_{Reading::prose};
};

}  // namespace parlance::face
