// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/webview/code_fences.h"

#include <algorithm>
#include <utility>

#include "parlance/base/text.h"

namespace parlance::face {
namespace {

using namespace webview;

constexpr std::size_t most_indent = 3;  // with more, Markdown has an indented code block

struct Fence {
  std::string mark{};       // "```"
  std::string_view rest{};  // after the mark
};

Fence fence_of(std::string_view line) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  if (indent > most_indent || indent == line.size() || (line[indent] != '`' && line[indent] != '~')) return {};
  std::size_t end = indent;
  while (end < line.size() && line[end] == line[indent]) ++end;
  return {.mark = std::string(line.substr(indent, end - indent)), .rest = line.substr(end)};
}

}  // namespace

void CodeFences::add(std::string_view text, Chunks& out) const {
  if (text.empty()) return;
  if (fence_.empty()) out.push_back({chunk::Text{std::string(text)}});
  else out.push_back({chunk::CodeContent{std::string(text)}});
}

// Whether the line can still become a fence.
bool CodeFences::may_be_fence() const {
  const std::size_t indent = std::min(held_.find_first_not_of(' '), held_.size());
  if (indent > most_indent) return false;
  if (indent == held_.size()) return true;
  const char mark = held_[indent];
  if (mark != '`' && mark != '~') return false;
  const std::size_t end = std::min(held_.find_first_not_of(mark, indent), held_.size());
  return end == held_.size() || end - indent >= 3;
}

// A whole line, with its end if present.
void CodeFences::line(std::string_view text, Chunks& out) {
  std::string_view words = text;
  if (words.ends_with('\n')) words.remove_suffix(1);
  const Fence fence = fence_of(words);
  const bool opens = fence_.empty() && fence.mark.size() >= 3 && !(fence.mark[0] == '`' && fence.rest.contains('`'));
  const bool closes =
      !fence_.empty() && fence.mark.size() >= fence_.size() && fence.mark[0] == fence_[0] && trim(fence.rest).empty();
  if (opens) {
    fence_ = fence.mark;
    out.push_back({chunk::CodeStart{std::string(trim(fence.rest))}});
  } else if (closes) {
    fence_.clear();
    out.push_back({chunk::CodeEnd{}});
  } else {
    add(text, out);
  }
}

void CodeFences::take(std::string_view piece, Chunks& out) {
  while (!piece.empty()) {
    const std::size_t end = piece.find('\n');
    const std::string_view part = piece.substr(0, end == std::string_view::npos ? piece.size() : end + 1);
    piece.remove_prefix(part.size());
    if (in_line_) {
      add(part, out);
      in_line_ = !part.ends_with('\n');
      continue;
    }
    held_ += part;
    if (part.ends_with('\n')) {
      line(std::exchange(held_, {}), out);
    } else if (!may_be_fence()) {
      add(std::exchange(held_, {}), out);
      in_line_ = true;
    }
  }
}

void CodeFences::end(Chunks& out) {
  if (!held_.empty()) line(std::exchange(held_, {}), out);
  if (!fence_.empty()) out.push_back({chunk::CodeEnd{}});
  fence_.clear();
  in_line_ = false;
}

}  // namespace parlance::face
