// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/joined_lines.h"

#include <algorithm>
#include <utility>

#include "parlance/base/text.h"

namespace parlance {
namespace {

// Follows the braces of a JSON text outside of its strings.
class Braces {
 public:
  // The size of `text` up to and including the brace that closes the object, or npos.
  std::size_t close_in(BytesView text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (std::exchange(escaped_, false)) continue;
      if (in_text_) {
        escaped_ = c == '\\';
        in_text_ = c != '"';
      } else if (c == '"') {
        in_text_ = true;
      } else if (c == '{') {
        ++depth_;
      } else if (c == '}' && --depth_ <= 0) {
        return at + 1;
      }
    }
    return BytesView::npos;
  }

 private:
  int depth_ = 0;
  bool in_text_ = false;
  bool escaped_ = false;
};

bool opens_object(BytesView text) { return text.starts_with('{') && !trim(text).ends_with('}'); }

bool is_object(BytesView text) {
  const BytesView whole = trim(text);
  return text.starts_with("{\"") && Braces().close_in(whole) == whole.size();
}

class JoinedLineFraming final : public Framing {
 public:
  explicit JoinedLineFraming(std::size_t most) : lines_(line_framing(most)), most_(most) {}

  Step next(BytesView buffered, bool at_end) override {
    if (first_consumed_ != 0) return join(buffered, at_end);
    const Step step = lines_->next(buffered, at_end);
    if (step.kind != Step::complete || !opens_object(step.frame) || failures_ == most_failures) {
      pass(step.consumed);
      return step;
    }
    first_bytes_ = step.frame.size();
    first_consumed_ = step.consumed;
    return join(buffered, at_end);
  }
  void begin(std::string& out) override { lines_->begin(out); }
  Result<void> end(std::string& out, std::size_t begun_at) override { return lines_->end(out, begun_at); }

 private:
  Step join(BytesView buffered, bool at_end) {
    while (scanned_ < buffered.size()) {
      std::size_t end = buffered.find('\n', searched_);
      if (end == BytesView::npos && !at_end) break;
      end = std::min(end, buffered.size());
      const BytesView line = buffered.substr(scanned_, end - scanned_);
      if (scanned_ != 0 && is_object(line)) return first_line(buffered);
      const bool closed = braces_.close_in(line) != BytesView::npos;
      scanned_ = searched_ = std::min(end + 1, buffered.size());
      if (closed) return frame(buffered.substr(0, end), scanned_);
    }
    if (at_end || buffered.size() > most_) return first_line(buffered);
    searched_ = buffered.size();
    return {};
  }
  // The object was never closed, so its first line is a frame, and its other lines are scanned again.
  Step first_line(BytesView buffered) {
    ++failures_;
    scanned_in_vain_ = std::max(scanned_in_vain_, scanned_);
    return frame(buffered.substr(0, first_bytes_), first_consumed_);
  }
  void pass(std::size_t consumed) {
    scanned_in_vain_ -= std::min(scanned_in_vain_, consumed);
    if (scanned_in_vain_ == 0) failures_ = 0;
  }
  Step frame(BytesView text, std::size_t consumed) {
    pass(consumed);
    braces_ = {};
    first_bytes_ = first_consumed_ = scanned_ = searched_ = 0;
    if (text.ends_with('\r')) text.remove_suffix(1);
    return {.kind = Step::complete, .frame = text, .consumed = consumed};
  }

  // So many objects without an end in the same bytes. Further lines there are frames: many open braces never cost a scan each.
  static constexpr int most_failures = 8;

  std::unique_ptr<Framing> lines_;
  std::size_t most_;
  Braces braces_;
  std::size_t first_bytes_ = 0;
  std::size_t first_consumed_ = 0;   // Size of the line with the open brace; 0: no object is open.
  std::size_t scanned_ = 0;          // Size of the lines before, for `braces_`.
  std::size_t scanned_in_vain_ = 0;  // Size of the next bytes that a failed scan has read.
  int failures_ = 0;                 // Of these scans.
  std::size_t searched_ = 0;         // No line break between `scanned_` and here.
};

}  // namespace

std::unique_ptr<Framing> joined_line_framing(std::size_t most_bytes) { return std::make_unique<JoinedLineFraming>(most_bytes); }

}  // namespace parlance
