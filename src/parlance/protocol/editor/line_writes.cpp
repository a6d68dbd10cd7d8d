// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/editor/line_writes.h"

#include <utility>

#include "parlance/protocol/editor/limits.h"

namespace parlance::editor {
namespace {

BytesView first_line(BytesView bytes) {
  const std::size_t end = bytes.find('\n');
  return bytes.substr(0, end == BytesView::npos ? bytes.size() : end + 1);
}

}  // namespace

LineWrites::LineWrites(Loop& loop, std::unique_ptr<ByteStream> inner) : loop_(loop), inner_(std::move(inner)) {}

void LineWrites::reads_lines() {
  lines_ = true;
  go_on();
}

void LineWrites::start_read(std::span<char> into, IoDone& done) {
  reading_.done = &done;
  inner_->start_read(into, reading_);
}
void LineWrites::Reading::on_io(Result<std::size_t> bytes) {
  IoDone& reader = *std::exchange(done, nullptr);
  of.go_on();
  reader.on_io(std::move(bytes));
}

std::size_t LineWrites::try_write(BytesView from) {
  std::size_t written = 0;
  while (written < from.size() && (in_line_ || !unread_)) {
    const BytesView line = first_line(from.substr(written));
    const std::size_t taken = inner_->try_write(line);
    written += taken;
    if (taken > 0) left(taken == line.size());
    if (taken < line.size()) break;
  }
  return written;
}

void LineWrites::start_write(BytesView from, IoDone& done) {
  writer_ = &done;
  all_ = from.size();
  rest_ = from;
  if (in_line_ || !unread_) write_line();
}

void LineWrites::give_up(IoDone& done) {
  if (&done == reading_.done) {
    reading_.done = nullptr;
    return inner_->give_up(reading_);
  }
  writer_ = nullptr;
  if (std::exchange(under_way_, 0) > 0) inner_->give_up(*this);
  else inner_->close();
}

void LineWrites::left(bool whole) {
  in_line_ = !whole;
  unread_ = whole && !lines_;
  if (unread_) start(loop_, loop_.now() + limits::piece);
}

void LineWrites::go_on() {
  unread_ = false;
  stop();
  if (writer_ != nullptr && under_way_ == 0) write_line();
}

void LineWrites::write_line() {
  const BytesView line = first_line(rest_);
  under_way_ = line.size();
  rest_.remove_prefix(line.size());
  inner_->start_write(line, *this);
}

void LineWrites::on_io(Result<std::size_t> written) {
  under_way_ = 0;
  if (written) left(true);
  if (written && !rest_.empty()) {
    if (!unread_) write_line();
    return;
  }
  if (written) written = all_;
  std::exchange(writer_, nullptr)->on_io(std::move(written));
}

std::unique_ptr<LineWrites> line_writes(Loop& loop, std::unique_ptr<ByteStream> stream) {
  return std::make_unique<LineWrites>(loop, std::move(stream));
}

}  // namespace parlance::editor
