// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/terminal/word_wrap.h"

#include <algorithm>
#include <utility>

#include "parlance/base/code_point.h"
#include "parlance/face/terminal/code_points.h"

namespace parlance::face {
namespace {

constexpr std::size_t word_bytes = 4096;  // a longer word is placed in parts: marks without a width have no other bound
constexpr std::size_t tab_columns = 8;

// Punctuation of East Asian text that begins no line, and punctuation that ends no line.
constexpr std::u32string_view closing = U"，。、！？；：）」』】》〉”’…,.!?;:)]}%";
constexpr std::u32string_view opening = U"（「『【《〈“‘([{";

// Whether a line may end between two characters that no blank separates: beside a wide character, as in Chinese text.
bool breaks_between(char32_t before, char32_t after) {
  if (before == 0 || columns(after) == 0) return false;
  if (columns(before) < 2 && columns(after) < 2) return false;
  return !closing.contains(after) && !opening.contains(before);
}
// Columns of a line, without its escape sequences.
std::size_t columns_shown(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\x1b') i = std::min(line.find('m', i), line.size());
    else text += line[i];
  }
  return columns(text);
}

}  // namespace

void WordWrap::begin(std::string& out, std::string_view first, std::string_view rest) {
  out += first;
  column_ = columns_shown(first);
  rest_ = rest;
  rest_columns_ = columns_shown(rest);
}
void WordWrap::put(std::string& out, const std::vector<StyledText>& text) {
  for (const StyledText& part : text) {
    if (width_ == 0) {
      emit(out, part.text, part.style);
      continue;
    }
    for (const char c : part.text) {
      character_ += c;
      if (!code_point_at(character_, 0).cut) put_character(out, part.style);
    }
  }
  close(out);
}
void WordWrap::put_character(std::string& out, Styles style) {
  const std::string character = std::exchange(character_, {});
  if (character == " " || character == "\t") {
    place_word(out);
    const std::size_t reached = column_ + blanks_;
    blanks_ += character == " " ? 1 : tab_columns - reached % tab_columns;
    blank_style_ = style;
    glued_ = false;
    return;
  }
  const char32_t value = code_point_at(character, 0).value;
  if (breaks_between(last_, value)) {
    place_word(out);
    glued_ = false;
  }
  const std::size_t wide = columns(value);
  const std::size_t room = width_ - std::min(width_, rest_columns_);
  if (!word_.empty() && (word_columns_ + wide > room || word_bytes_ > word_bytes)) {
    place_word(out);
    glued_ = long_words_ == LongWords::leave;
  }
  if (word_.empty() || word_.back().style != style) word_.push_back({.text = {}, .style = style});
  word_.back().text += character;
  word_columns_ += wide;
  word_bytes_ += character.size();
  last_ = value;
}
void WordWrap::place_word(std::string& out) {
  if (word_.empty()) return;
  if (!glued_ && column_ > rest_columns_ && column_ + blanks_ + word_columns_ > width_) {
    close(out);
    out += '\n' + rest_;
    column_ = rest_columns_;
  } else {
    emit(out, std::string(blanks_, ' '), blank_style_);
    column_ += blanks_;
  }
  for (const StyledText& part : word_) emit(out, part.text, part.style);
  column_ += word_columns_;
  word_.clear();
  word_columns_ = 0;
  word_bytes_ = 0;
  blanks_ = 0;
  last_ = 0;
}
void WordWrap::close(std::string& out) {
  if (std::exchange(open_, Styles{0}) != 0) out += end_styles;
}
void WordWrap::emit(std::string& out, std::string_view text, Styles style) {
  if (text.empty()) return;
  if (style != open_) {
    close(out);
    out += begin_styles(style);
    open_ = style;
  }
  out += text;
}
void WordWrap::end(std::string& out) {
  if (!character_.empty()) put_character(out, 0);
  place_word(out);
  close(out);
  blanks_ = 0;
  column_ = 0;
  rest_.clear();
  rest_columns_ = 0;
  glued_ = false;
}

std::vector<std::string> wrapped_lines(const std::vector<StyledText>& text, std::size_t width) {
  WordWrap wrap(width, LongWords::cut);
  std::string all;
  wrap.put(all, text);
  wrap.end(all);
  std::vector<std::string> lines(1);
  for (const char c : all)
    if (c == '\n') lines.emplace_back();
    else lines.back() += c;
  return lines;
}

}  // namespace parlance::face
