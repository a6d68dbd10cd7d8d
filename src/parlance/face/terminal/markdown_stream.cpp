// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/terminal/markdown_stream.h"

#include <algorithm>
#include <utility>

#include "parlance/base/text.h"
#include "parlance/face/terminal/code_points.h"
#include "parlance/face/terminal/style.h"
#include "parlance/face/terminal/table_text.h"

namespace parlance::face {
namespace {

constexpr std::size_t most_rows = 500;  // a longer table is shown in parts
constexpr std::size_t most_prefix = 200;
constexpr std::size_t rule_columns = 20;
constexpr std::size_t most_digits = 9;  // of the number of a list item, as in CommonMark

std::size_t run(std::string_view text, char c) {
  const std::size_t end = text.find_first_not_of(c);
  return end == std::string_view::npos ? text.size() : end;
}
bool opens_fence(std::string_view line) { return line.starts_with("```") || line.starts_with("~~~"); }
bool is_rule(std::string_view line) {
  const char mark = line.empty() ? ' ' : line.front();
  if (mark != '-' && mark != '*' && mark != '_') return false;
  return std::ranges::count(line, mark) >= 3 && line.find_first_not_of(std::string{mark, ' '}) == std::string_view::npos;
}
std::size_t digits_in(std::string_view line) { return std::min(line.find_first_not_of("0123456789"), line.size()); }
// A line with only marks and blanks so far may become a rule, an item or bold text.
bool only_marks(std::string_view line) {
  return line.find_first_not_of(std::string{line.front(), ' '}) == std::string_view::npos;
}

}  // namespace

void MarkdownStream::set_width(std::size_t width) {
  width_ = width;
  wrap_.set_width(width);
}
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
  if (line_ == Line::code) {
    out += c;
  } else if (line_ == Line::text) {
    inline_.put(parts_, c);
    flush(out);
  } else {
    held_ += c;
    if (line_ == Line::undecided) begin_line(out);
  }
}

MarkdownStream::Prefix MarkdownStream::prefix_of(std::string_view line, std::size_t most_quotes) const {
  Prefix prefix;
  while (prefix.quotes < most_quotes) {
    const std::size_t mark = line.find_first_not_of(" \t", prefix.bytes);
    if (mark == std::string_view::npos || line[mark] != '>') break;
    prefix.shown += std::string(line.substr(prefix.bytes, mark - prefix.bytes)) + inked("│", Ink::dim, colours_) + " ";
    ++prefix.quotes;
    prefix.bytes = mark + 1;
    if (prefix.bytes < line.size() && line[prefix.bytes] == ' ') ++prefix.bytes;
  }
  return prefix;
}
// Decides the kind of the line from its first bytes, and shows them. Waits for more if these do not suffice.
void MarkdownStream::begin_line(std::string& out) {
  if (!fence_.empty() && begin_code(out)) return;
  Prefix prefix = prefix_of(held_, held_.size());
  const std::size_t at = held_.find_first_not_of(" \t", prefix.bytes);
  if (at == std::string::npos && held_.size() < most_prefix) return;
  const std::string all = held_;
  const std::size_t begin = std::min(at, all.size());
  prefix.shown += all.substr(prefix.bytes, begin - prefix.bytes);
  begin_block(out, prefix, std::string_view(all).substr(begin));
}
// Whether the line belongs to the open code block. A line with fewer quote marks than its first line ends the block.
bool MarkdownStream::begin_code(std::string& out) {
  const Prefix prefix = prefix_of(held_, fence_quotes_);
  const std::string_view rest = std::string_view(held_).substr(prefix.bytes);
  const std::string_view line = rest.substr(std::min(rest.find_first_not_of(" \t"), rest.size()));
  if (prefix.quotes < fence_quotes_) {
    if (line.empty()) return true;
    fence_.clear();
    out += rule() + "\n";
    return false;
  }
  if (line.empty() && rest.size() < most_prefix) return true;
  if (!line.empty() && line.find_first_not_of(fence_.front()) == std::string_view::npos) return true;  // perhaps its end
  if (line.starts_with(fence_) && trim(line.substr(run(line, fence_.front()))).empty()) return true;
  line_ = Line::code;
  out += prefix.shown + std::string(rest);
  held_.clear();
  return true;
}
void MarkdownStream::begin_block(std::string& out, const Prefix& prefix, std::string_view line) {
  const char first = line.empty() ? ' ' : line.front();
  const std::size_t marks = run(line, first);
  if (first == '|') {
    line_ = Line::table;
    return;
  }
  if (first == '#' && marks <= 6) {
    if (marks == line.size()) return;
    if (line[marks] == ' ') {
      line_ = Line::heading;
      return;
    }
  }
  if (first == '`' || first == '~') {
    if (marks == line.size() && marks < 3) return;
    if (opens_fence(line)) {
      line_ = Line::fence;
      return;
    }
  }
  if (first == '-' || first == '*' || first == '+' || first == '_') {
    if (only_marks(line) && line.size() < most_prefix) return;
    if (first != '_' && marks == 1 && line[1] == ' ') return begin_item(out, prefix, line, 1);
  }
  if (const std::size_t digits = digits_in(line); digits != 0 && digits <= most_digits) {
    if (digits == line.size()) return;
    if (line[digits] == '.' || line[digits] == ')') {
      if (digits + 1 == line.size()) return;
      if (line[digits + 1] == ' ') return begin_item(out, prefix, line, digits + 1);
    }
  }
  put_text(out, prefix.shown, prefix.shown, line);
}
// `marker`: bytes of the item's mark. The box of a task takes the place of its bullet.
void MarkdownStream::begin_item(std::string& out, const Prefix& prefix, std::string_view line, std::size_t marker) {
  const std::string_view text = line.substr(marker + 1);
  std::string mark(marker == 1 ? "•" : line.substr(0, marker));
  std::size_t used = marker + 1;
  if (marker == 1 && text.size() < 4 &&
      (std::string_view("[ ] ").starts_with(text) || std::string_view("[x] ").starts_with(text) ||
       std::string_view("[X] ").starts_with(text)))
    return;
  if (marker == 1 && text.starts_with("[") && text.substr(2).starts_with("] ")) {
    mark = text[1] == ' ' ? "☐" : "☑";
    used += 4;
  }
  put_text(out, prefix.shown + mark + " ", prefix.shown + std::string(marker + 1, ' '), line.substr(used));
}
void MarkdownStream::put_text(std::string& out, std::string_view first, std::string_view rest, std::string_view text,
                              Styles base) {
  end_table(out);
  line_ = Line::text;
  wrap_.begin(out, first, rest);
  inline_.begin(base);
  for (const char c : text) inline_.put(parts_, c);
  flush(out);
  held_.clear();
}
void MarkdownStream::flush(std::string& out) {
  wrap_.put(out, parts_);
  parts_.clear();
}

void MarkdownStream::end_line(std::string& out, std::string_view line_feed) {
  const Line was = std::exchange(line_, Line::undecided);
  if (was == Line::table) {
    const Prefix prefix = prefix_of(held_, held_.size());
    if (prefix.shown != table_prefix_) end_table(out);
    table_prefix_ = prefix.shown;
    table_.push_back(std::exchange(held_, {}).substr(prefix.bytes));
    if (table_.size() >= most_rows) end_table(out);
    return;
  }
  if (was != Line::undecided || !held_.empty() || !line_feed.empty()) end_table(out);
  if (was == Line::undecided) end_undecided(out);
  if (was == Line::heading) end_heading(out);
  if (was == Line::fence) end_fence(out);
  inline_.end(parts_);
  flush(out);
  wrap_.end(out);
  line_ = Line::undecided;
  held_.clear();
  out += line_feed;
}
// The line ended before its kind was clear: blanks, a rule, the end of a code block, or marks alone.
void MarkdownStream::end_undecided(std::string& out) {
  const std::string all = std::exchange(held_, {});
  const Prefix prefix = prefix_of(all, fence_.empty() ? all.size() : fence_quotes_);
  const std::string_view rest = std::string_view(all).substr(prefix.bytes);
  const std::string_view line = trim(rest);
  if (!fence_.empty()) {
    const bool closes = line.starts_with(fence_) || prefix.quotes < fence_quotes_;
    if (closes) fence_.clear();
    out += prefix.shown + (closes ? rule() : std::string(rest));
  } else if (line.empty()) {
    out += prefix.shown + std::string(rest);
  } else if (is_rule(line)) {
    out += prefix.shown + rule();
  } else {
    const std::string indent = prefix.shown + std::string(rest.substr(0, rest.find_first_not_of(" \t")));
    const bool item = line.size() > 2 && line[1] == ' ' && std::string_view("-*+").contains(line.front());  // "- ["
    if (item) put_text(out, indent + "• ", indent + "  ", line.substr(2));
    else put_text(out, indent, indent, line);
  }
}
void MarkdownStream::end_heading(std::string& out) {
  const std::string all = std::exchange(held_, {});
  const Prefix prefix = prefix_of(all, all.size());
  std::string_view text = trim(std::string_view(all).substr(prefix.bytes));
  if (colours_) {
    text = trim(text.substr(run(text, '#')));
    const std::size_t end = text.find_last_not_of('#');  // "## Title ##"
    if (end != std::string_view::npos && text[end] == ' ') text = trim(text.substr(0, end));
  }
  put_text(out, prefix.shown, prefix.shown, text, styles::bold);
}
void MarkdownStream::end_fence(std::string& out) {
  const Prefix prefix = prefix_of(held_, held_.size());
  const std::string_view line = trim(std::string_view(held_).substr(prefix.bytes));
  const std::size_t marks = run(line, line.front());
  fence_ = std::string(line.substr(0, marks));
  fence_quotes_ = prefix.quotes;
  out += prefix.shown + rule(trim(line.substr(marks)));
}
void MarkdownStream::end_table(std::string& out) {
  if (table_.empty()) return;
  const std::size_t used = 2 * static_cast<std::size_t>(std::ranges::count(table_prefix_, '\xE2'));
  for (const std::string& line : table_lines(std::exchange(table_, {}), colours_, width_ > used ? width_ - used : width_))
    out += table_prefix_ + line + "\n";
  table_prefix_.clear();
}
// Also begins and ends a code block, with the name of its language.
std::string MarkdownStream::rule(std::string_view label) const {
  std::string line;
  if (!label.empty()) line = "── " + std::string(label) + " ";
  const std::size_t before = columns(line);
  const std::size_t wanted = width_ == 0 ? rule_columns : std::min(width_, rule_columns);
  for (std::size_t n = before; n < std::max(wanted, before + 2); ++n) line += "─";
  return inked(line, Ink::dim, colours_);
}

}  // namespace parlance::face
