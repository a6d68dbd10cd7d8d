// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/terminal/inline_text.h"

#include <algorithm>
#include <utility>

#include "parlance/face/terminal/entities.h"

namespace parlance::face {
namespace {

constexpr std::size_t most_held = 2000;  // bytes; a longer wait for the partner of a mark annoys a person

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}
bool is_alphanumeric(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
std::size_t run_at_end(std::string_view text, char c) {
  std::size_t run = 0;
  while (run < text.size() && text[text.size() - 1 - run] == c) ++run;
  return run;
}
// The text of a code span: one blank beside each delimiter belongs to the delimiter, as in "`` `a` ``".
std::string_view code_text(std::string_view text) {
  const bool padded = text.size() > 2 && text.starts_with(' ') && text.ends_with(' ');
  return padded && text.find_first_not_of(' ') != std::string_view::npos ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

void InlineText::put(std::vector<StyledText>& out, char c) {
  if (put_pending(out, c)) return;
  switch (c) {
    case '\\': escape_ = true; return;
    case '`': code_ = c; return;
    case '&': entity_ = c; return;
    case '*':
    case '_':
    case '~': run_ = c; return;
    default: put_text(out, {&c, 1});
  }
}
// Whether the byte belongs to an unfinished mark.
bool InlineText::put_pending(std::vector<StyledText>& out, char c) {
  if (!code_.empty()) {
    put_code(out, c);
    return true;
  }
  if (!entity_.empty()) {
    put_entity(out, c);
    return true;
  }
  if (std::exchange(escape_, false)) {
    if (!is_punctuation(c)) {
      put_text(out, "\\");
      return false;
    }
    put_text(out, {&c, 1});
    return true;
  }
  if (run_.empty()) return false;
  if (run_.front() == c) {
    run_ += c;
    if (run_.size() > most_held) end_run(out, ' ');
    return true;
  }
  end_run(out, c);
  return false;
}
void InlineText::put_code(std::vector<StyledText>& out, char c) {
  if (backticks_ == 0 && c != '`') backticks_ = code_.size();
  code_ += c;
  if (backticks_ != 0 && run_at_end(code_, '`') == backticks_) {
    const std::string whole = std::exchange(code_, {});
    const std::size_t marks = std::exchange(backticks_, 0);
    const std::string_view inner = std::string_view(whole).substr(marks, whole.size() - 2 * marks);
    // A further backtick would make a longer run; models do not write that.
    held_.push_back({.text = std::string(colours_ ? code_text(inner) : whole), .style = colours_ ? styles::code : Styles{0}});
    held_bytes_ += whole.size();
    before_ = '`';
    return release(out);
  }
  if (code_.size() > most_held) end_pending(out);
}
void InlineText::put_entity(std::vector<StyledText>& out, char c) {
  if (is_alphanumeric(c) || c == '#' || c == ';') {
    entity_ += c;
    if (c != ';' && entity_.size() < entity_bytes) return;
    const std::string reference = std::exchange(entity_, {});
    return put_text(out, decoded_entity(reference).value_or(reference));
  }
  put_text(out, std::exchange(entity_, {}));
  put(out, c);
}
void InlineText::put_text(std::vector<StyledText>& out, std::string_view text) {
  if (held_.empty() || held_.back().style != 0 || (!openers_.empty() && openers_.back().at + 1 == held_.size()))
    held_.emplace_back();
  held_.back().text += text;
  held_bytes_ += text.size();
  before_ = text.back();
  release(out);
}

// At the end of a run: the run closes others, opens, or is text.
void InlineText::end_run(std::vector<StyledText>& out, char next) {
  const std::string run = std::exchange(run_, {});
  const char mark = run.front();
  const bool left = !is_blank(next) && (!is_punctuation(next) || is_blank(before_) || is_punctuation(before_));
  const bool right = !is_blank(before_) && (!is_punctuation(before_) || is_blank(next) || is_punctuation(next));
  bool opens = left;
  bool closes = right;
  if (mark == '_') {
    opens = left && (!right || is_punctuation(before_));
    closes = right && (!left || is_punctuation(next));
  }
  if (mark == '~' && run.size() != 2) opens = closes = false;
  const std::size_t used = closes ? close(mark, run.size(), opens) : 0;
  held_bytes_ += run.size();
  before_ = mark;
  if (used != run.size()) {
    held_.push_back({.text = run.substr(used), .style = 0});
    if (opens)
      openers_.push_back(
          {.mark = mark, .length = run.size() - used, .written = run.size(), .closes = closes, .at = held_.size() - 1});
  }
  release(out);
}
// Returns how many marks of the run closed others.
std::size_t InlineText::close(char mark, std::size_t written, bool opens) {
  std::size_t used = 0;
  while (used < written) {
    const auto opener = opener_for(mark, written, opens);
    if (opener == openers_.end()) break;
    const std::size_t both = std::min({opener->length, written - used, std::size_t{2}});
    const Styles style = mark == '~' ? styles::struck : both == 2 ? styles::bold : styles::italic;
    if (colours_) {
      for (std::size_t i = opener->at + 1; i < held_.size(); ++i) held_[i].style |= style;
      held_[opener->at].text.resize(opener->length - both);
    } else {
      held_.push_back({.text = std::string(both, mark), .style = 0});
    }
    used += both;
    opener->length -= both;
    openers_.erase(opener->length == 0 ? opener : opener + 1, openers_.end());
  }
  return used;
}
std::vector<InlineText::Opener>::iterator InlineText::opener_for(char mark, std::size_t written, bool opens) {
  for (auto opener = openers_.end(); opener != openers_.begin();) {
    --opener;
    if (opener->mark != mark) continue;
    // CommonMark's rule of three keeps `*a**b*` one emphasis.
    const bool by_three = (opener->closes || opens) && (opener->written + written) % 3 == 0;
    if (!by_three || (opener->written % 3 == 0 && written % 3 == 0)) return opener;
  }
  return openers_.end();
}
void InlineText::release(std::vector<StyledText>& out) {
  if (held_bytes_ > most_held) openers_.clear();
  if (!openers_.empty()) return;
  for (StyledText& part : held_) {
    if (colours_) part.style |= base_;
    if (!part.text.empty()) out.push_back(std::move(part));
  }
  held_.clear();
  held_bytes_ = 0;
}
// A mark without a partner is text. Its following bytes are parsed again.
void InlineText::end_pending(std::vector<StyledText>& out) {
  while (escape_ || !run_.empty() || !entity_.empty() || !code_.empty()) {
    if (std::exchange(escape_, false)) put_text(out, "\\");
    if (!run_.empty()) end_run(out, ' ');
    if (!entity_.empty()) put_text(out, std::exchange(entity_, {}));
    if (code_.empty()) continue;
    const std::string text = std::exchange(code_, {});
    const std::size_t marks = std::exchange(backticks_, 0);
    put_text(out, std::string_view(text).substr(0, marks == 0 ? text.size() : marks));
    if (marks == 0) continue;
    for (const char c : std::string_view(text).substr(marks)) put(out, c);
  }
}
void InlineText::end(std::vector<StyledText>& out) {
  end_pending(out);
  openers_.clear();
  release(out);
  before_ = ' ';
  base_ = 0;
}

std::vector<StyledText> inline_text(std::string_view line, bool colours, Styles base) {
  InlineText text(colours);
  text.begin(base);
  std::vector<StyledText> parts;
  for (const char c : line) text.put(parts, c);
  text.end(parts);
  return parts;
}

}  // namespace parlance::face
