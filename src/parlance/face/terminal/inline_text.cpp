// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/terminal/inline_text.h"

#include "parlance/face/terminal/style.h"

namespace parlance::face {
namespace {

// A marker that is not closed within that many bytes is text: a person should not wait for it.
constexpr std::size_t held_bytes = 2000;

std::size_t run_at_end(const std::string& text, char c) {
  std::size_t run = 0;
  while (run < text.size() && text[text.size() - 1 - run] == c) ++run;
  return run;
}

}  // namespace

void InlineText::put(std::string& out, char c) {
  if (held_.empty()) {
    if (c == '`' || c == '*') held_ = c;
    else out += c;
    return;
  }
  if (held_.front() == '`') put_code(out, c);
  else put_stars(out, c);
  if (held_.size() > held_bytes) end(out);
}
void InlineText::put_code(std::string& out, char c) {
  if (opening_ == 0 && c != '`') opening_ = held_.size();
  held_ += c;
  if (opening_ == 0 || run_at_end(held_, '`') != opening_) return;
  // Without colours the markers say what is code.
  out += colours_ ? inked(std::string_view(held_).substr(opening_, held_.size() - 2 * opening_), Ink::code, true) : held_;
  held_.clear();
  opening_ = 0;
}
void InlineText::put_stars(std::string& out, char c) {
  const bool opens = held_.size() == 1 ? c == '*' : held_.size() > 2 || (c != ' ' && c != '\t' && c != '*');
  if (!opens) {  // a star, or two of them: arithmetic, a path
    end(out);
    return put(out, c);
  }
  held_ += c;
  if (held_.size() < 5 || run_at_end(held_, '*') < 2) return;
  out += colours_ ? inked(std::string_view(held_).substr(2, held_.size() - 4), Ink::bold, true) : held_;
  held_.clear();
}
void InlineText::end(std::string& out) {
  out += held_;
  held_.clear();
  opening_ = 0;
}

}  // namespace parlance::face
