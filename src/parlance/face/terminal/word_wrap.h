// SPDX-License-Identifier: Apache-2.0
// Breaks lines between words, for text that arrives in pieces. A terminal itself breaks a long line at its last column, inside a word.
// The output is only ever appended to, and does not depend on how the text was cut. The last word is held until the next blank. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/face/terminal/style.h"

namespace parlance::face {

// `leave`: a word wider than the line stays whole, so that a person can copy a long address. `cut`: parts of at most the width.
enum class LongWords { leave, cut };

class WordWrap {
 public:
  // `width` in columns. 0: no line is broken, and nothing is held.
  explicit WordWrap(std::size_t width, LongWords long_words = LongWords::leave) : width_(width), long_words_(long_words) {}

  void set_width(std::size_t width) { width_ = width; }

  // Begins a line: `first` in front of it, `rest` in front of each line that a break begins. Both may hold escape sequences.
  void begin(std::string& out, std::string_view first, std::string_view rest);
  // UTF-8 without controls but tabs. A character may be cut between two calls with the same style.
  void put(std::string& out, const std::vector<StyledText>& text);
  // The end of the line, without a line feed.
  void end(std::string& out);

 private:
  void put_character(std::string& out, Styles style);
  void place_word(std::string& out);
  void close(std::string& out);
  void emit(std::string& out, std::string_view text, Styles style);

  std::size_t width_;
  LongWords long_words_;
  std::string rest_;  // in front of a broken line's continuation
  std::size_t rest_columns_ = 0;
  std::size_t column_ = 0;
  std::size_t blanks_ = 0;  // columns between the last placed word and the held one
  Styles blank_style_ = 0;
  std::string character_;         // the bytes so far
  char32_t last_ = 0;             // the last character of the held word, or 0
  std::vector<StyledText> word_;  // held
  std::size_t word_columns_ = 0;
  std::size_t word_bytes_ = 0;
  bool glued_ = false;  // the held text continues a word whose beginning was placed
  Styles open_ = 0;     // begun in the output and not ended; 0 between two calls
};

// Whole text in lines of at most `width` columns; each line begins and ends its own styles.
std::vector<std::string> wrapped_lines(const std::vector<StyledText>& text, std::size_t width);

}  // namespace parlance::face
