// Text of others, made harmless for a terminal: what a model or a tool says must not move the cursor, set the title, fill the clipboard or
// pose as an answer of the terminal. Any thread; no state outside the object.
#pragma once

#include <string>
#include <string_view>

namespace parlance::face {

// A stream that may be cut at any byte. What comes out is whole, valid UTF-8, and the same wherever the stream was cut.
// Line feeds and tabs pass; a carriage return before a line feed is dropped; other control characters are shown as pictures (␛), C1
// controls and those that turn the direction of text as U+FFFD.
class SafeText {
 public:
  std::string feed(std::string_view text);
  std::string finish();  // what was held back, because its character never ended

 private:
  std::string held_;  // the beginning of a character, or a carriage return: three bytes at most
};

std::string safe_text(std::string_view text);  // a whole one
std::string safe_line(std::string_view text);  // in one line: line feeds are shown as well

}  // namespace parlance::face
