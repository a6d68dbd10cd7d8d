// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/terminal/diff_view.h"

#include <algorithm>

#include "parlance/base/text.h"
#include "parlance/base/visible_text.h"
#include "parlance/face/terminal/style.h"

namespace parlance::face {
namespace {

using Lines = std::vector<std::string_view>;

// The comparison includes the final line feed: the piece behind the last line feed is a line.
Lines lines_of(std::string_view text) { return text.empty() ? Lines{} : split(text, '\n'); }

void append(std::vector<std::string>& out, std::string_view mark, std::string_view line) {
  out.push_back(std::string(mark) + visible_line(line));
}

}  // namespace

std::vector<std::string> diff_lines(std::string_view before, std::string_view after, std::size_t around, bool colours) {
  const Lines old_lines = lines_of(before);
  const Lines new_lines = lines_of(after);
  const std::size_t shorter = std::min(old_lines.size(), new_lines.size());
  std::size_t begin = 0;
  while (begin < shorter && old_lines[begin] == new_lines[begin]) ++begin;
  std::size_t end = 0;
  while (end < shorter - begin && old_lines[old_lines.size() - 1 - end] == new_lines[new_lines.size() - 1 - end]) ++end;
  std::vector<std::string> out;
  if (begin == old_lines.size() && begin == new_lines.size()) return out;
  const auto is_end = [](const Lines& lines, std::size_t i) { return i + 1 == lines.size() && lines[i].empty(); };
  for (std::size_t i = begin - std::min(begin, around); i < begin; ++i) append(out, "  ", old_lines[i]);
  for (std::size_t i = begin; i < old_lines.size() - end; ++i)
    if (!is_end(old_lines, i)) out.push_back(inked("- " + visible_line(old_lines[i]), Ink::removed, colours));
  for (std::size_t i = begin; i < new_lines.size() - end; ++i)
    if (!is_end(new_lines, i)) out.push_back(inked("+ " + visible_line(new_lines[i]), Ink::added, colours));
  if (!before.empty() && !after.empty() && before.ends_with('\n') != after.ends_with('\n'))
    append(out, "  ", after.ends_with('\n') ? "(now ends with a line feed)" : "(no longer ends with a line feed)");
  const std::size_t behind = old_lines.size() - end;
  for (std::size_t i = behind; i < std::min(old_lines.size(), behind + around); ++i)
    if (!is_end(old_lines, i)) append(out, "  ", old_lines[i]);
  return out;
}

}  // namespace parlance::face
