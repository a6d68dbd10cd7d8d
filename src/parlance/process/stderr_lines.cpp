// SPDX-License-Identifier: Apache-2.0
#include "parlance/process/stderr_lines.h"

#include "parlance/base/text.h"
#include "parlance/process/limits.h"

namespace parlance {
namespace {

BytesView without_cr(BytesView line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

void StderrLines::feed(BytesView bytes, const std::function<void(BytesView)>& on_line) {
  tail_ += bytes.substr(bytes.size() - std::min(bytes.size(), limits::stderr_tail_bytes));
  if (tail_.size() > 2 * limits::stderr_tail_bytes) tail_.erase(0, tail_.size() - limits::stderr_tail_bytes);
  total_bytes_ += bytes.size();

  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const BytesView piece = bytes.substr(0, end);
    bytes.remove_prefix(end == BytesView::npos ? bytes.size() : end + 1);
    if (!skipping_) {
      const std::size_t room = limits::stderr_line_bytes - partial_.size();
      if (piece.size() > room) {
        partial_ += piece.substr(0, room);
        on_line(partial_);
        partial_.clear();
        skipping_ = true;
      } else if (end == BytesView::npos) {
        partial_ += piece;
      } else if (partial_.empty()) {
        on_line(without_cr(piece));
      } else {
        partial_ += piece;
        on_line(without_cr(partial_));
        partial_.clear();
      }
    }
    if (end != BytesView::npos) skipping_ = false;
  }
}

void StderrLines::finish(const std::function<void(BytesView)>& on_line) {
  if (!partial_.empty()) on_line(without_cr(partial_));
  partial_.clear();
}

std::string StderrLines::tail() const {
  if (total_bytes_ <= limits::stderr_tail_bytes) return tail_;
  const BytesView kept = BytesView(tail_).substr(tail_.size() - limits::stderr_tail_bytes);
  const std::size_t end = kept.find('\n');
  return std::string(end == BytesView::npos || end + 1 == kept.size() ? kept : kept.substr(end + 1));
}

BytesView last_line(BytesView text) {
  text = trim(text);
  const std::size_t before = text.rfind('\n');
  return before == BytesView::npos ? text : trim(text.substr(before + 1));
}

}  // namespace parlance
