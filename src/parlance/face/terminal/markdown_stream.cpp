// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/terminal/markdown_stream.h"

#include <utility>

#include "parlance/base/text.h"
#include "parlance/face/terminal/style.h"
#include "parlance/face/terminal/table_text.h"

namespace parlance::face {
namespace {

constexpr std::size_t table_rows = 500;  // a longer one comes in parts
constexpr std::size_t indent_bytes = 200;

std::size_t run(std::string_view text, char c) {
  const std::size_t end = text.find_first_not_of(c);
  return end == std::string_view::npos ? text.size() : end;
}
bool opens_fence(std::string_view line) { return line.starts_with("```") || line.starts_with("~~~"); }

}  // namespace

std::string MarkdownStream::feed(std::string_view text) {
  std::string out;
  for (const char c : safe_.feed(text)) put(out, c);
  return out;
}
std::string MarkdownStream::finish() {
  std::string out;
  for (const char c : safe_.finish()) put(out, c);
  end_line(out, "");
  end_table(out);
  fence_.clear();
  return out;
}

void MarkdownStream::put(std::string& out, char c) {
  if (c == '\n') return end_line(out, "\n");
  if (line_ == Line::text) return inline_.put(out, c);
  if (line_ == Line::code) {
    out += c;
    return;
  }
  held_ += c;
  if (line_ == Line::undecided) begin_line(out);
}

// Decides what the line is if its first bytes tell, and shows what can be shown of them.
void MarkdownStream::begin_line(std::string& out) {
  const std::size_t at = held_.find_first_not_of(" \t");
  if (at == std::string::npos && held_.size() < indent_bytes) return;
  const std::string all = held_;
  const std::string_view indent = std::string_view(all).substr(0, at);
  const std::string_view line = std::string_view(all).substr(indent.size());
  if (!fence_.empty()) {
    if (line.find_first_not_of(fence_.front()) == std::string_view::npos) return;  // perhaps its end
    if (line.starts_with(fence_) && trim(line.substr(run(line, fence_.front()))).empty()) return;
    line_ = Line::code;
    out += std::exchange(held_, {});
    return;
  }
  if (line.starts_with('|')) {
    line_ = Line::table;
    return;
  }
  begin_marked(out, indent, line);
}
void MarkdownStream::begin_marked(std::string& out, std::string_view indent, std::string_view line) {
  const char first = line.empty() ? ' ' : line.front();
  const std::size_t marks = run(line, first);
  const bool only_marks = marks == line.size();
  if (first == '#' && marks <= 6) {
    if (only_marks) return;
    if (line[marks] == ' ') {
      line_ = Line::heading;
      return;
    }
  }
  if (first == '`' || first == '~') {
    if (only_marks && marks < 3) return;
    if (opens_fence(line)) {
      line_ = Line::fence;
      return;
    }
  }
  if (first == '-' || first == '*' || first == '+' || first == '>' || first == '_') {
    if (only_marks) return;  // an item, a quote, a rule, or bold text
    const bool blank = marks == 1 && line[1] == ' ';
    if (first != '_' && blank) {
      end_table(out);
      out += std::string(indent) + (first == '>' ? inked("│", Ink::dim, colours_) : "•");
      return put_text(out, line.substr(1));
    }
  }
  end_table(out);
  out += indent;
  put_text(out, line);
}
void MarkdownStream::put_text(std::string& out, std::string_view text) {
  line_ = Line::text;
  for (const char c : text) inline_.put(out, c);
  held_.clear();
}

void MarkdownStream::end_line(std::string& out, std::string_view line_feed) {
  const Line was = std::exchange(line_, Line::undecided);
  if (was == Line::table) {
    table_.push_back(std::exchange(held_, {}));
    if (table_.size() >= table_rows) end_table(out);
    return;
  }
  if (was != Line::undecided || !held_.empty() || !line_feed.empty()) end_table(out);
  if (was == Line::undecided) end_undecided(out);
  if (was == Line::text) inline_.end(out);
  if (was == Line::heading)
    out += inked(colours_ ? trim(std::string_view(held_).substr(held_.find(' ', held_.find('#')))) : held_, Ink::bold, colours_);
  if (was == Line::fence) {
    const std::string_view line = trim(held_);
    fence_ = std::string(line.substr(0, run(line, line.front())));
    out += inked(held_, Ink::dim, colours_);
  }
  held_.clear();
  out += line_feed;
}
// The line ended before it was clear: blanks, a rule, the end of a code block, or marks alone.
void MarkdownStream::end_undecided(std::string& out) {
  const std::string_view line = trim(held_);
  if (line.empty()) {
    out += held_;
    return;
  }
  if (!fence_.empty()) {
    const bool closes = line.starts_with(fence_);
    out += closes ? inked(held_, Ink::dim, colours_) : held_;
    if (closes) fence_.clear();
    return;
  }
  const bool rule = line.size() >= 3 && (line.front() == '-' || line.front() == '*' || line.front() == '_');
  out += rule ? inked("────────────────────", Ink::dim, colours_) : held_;
}
void MarkdownStream::end_table(std::string& out) {
  if (table_.empty()) return;
  out += table_text(std::exchange(table_, {}), colours_);
}

}  // namespace parlance::face
