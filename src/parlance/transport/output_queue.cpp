// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/output_queue.h"

#include <algorithm>

namespace parlance {
namespace {

// One write is at most so long: a stall is judged by progress, and progress is seen between writes.
constexpr std::size_t write_piece_bytes = 256 << 10;

}  // namespace

void OutputQueue::append_shared(SharedBytes bytes) {
  if (failed_ || bytes->empty()) return;
  later_bytes_ += out_.size() + bytes->size();
  if (!out_.empty()) later_.push_back({.own = std::exchange(out_, {})});
  later_.push_back({.shared = std::move(bytes)});
}

OutputQueue::Segment OutputQueue::next_segment() {
  if (later_.empty()) return {.own = std::exchange(out_, {})};
  Segment next = std::move(later_.front());
  later_.erase(later_.begin());
  later_bytes_ -= next.bytes().size();
  if (later_.empty()) later_ = {};
  return next;
}

void OutputQueue::flush() {
  if (busy_ || failed_ || stream_ == nullptr || (out_.empty() && later_.empty())) return;
  sent_ = 0;
  if (later_.empty()) {
    sent_ = stream_->try_write(BytesView(out_).substr(0, write_piece_bytes));
    if (sent_ == out_.size()) {
      sent_ = 0;
      sent();
      return;
    }
  }
  rest_ = next_segment();
  write_piece();
}

void OutputQueue::write_piece() {
  piece_ = std::min(rest_.bytes().size() - sent_, write_piece_bytes);
  busy_ = true;
  if (settings_.stall.count() != 0) start(loop_, loop_.now() + settings_.stall);
  stream_->start_write(rest_.bytes().substr(sent_, piece_), *this);
}

void OutputQueue::on_io(Result<std::size_t> bytes) {
  busy_ = false;
  stop();
  if (failed_) {  // abandoned meanwhile
    rest_ = {};
    sent_ = 0;
    return;
  }
  if (!bytes) {
    abandon();
    owner_.on_output_failed(std::move(bytes).error());
    return;
  }
  sent_ += piece_;
  if (sent_ < rest_.bytes().size()) {
    write_piece();
    return;
  }
  rest_ = {};
  sent_ = 0;
  if (out_.empty() && later_.empty()) {
    sent();
  } else {
    if (!congested()) drained_.notify_all();
    flush();
  }
}

void OutputQueue::sent() {
  if (out_.capacity() > settings_.kept_bytes) out_ = {};
  else out_.clear();
  drained_.notify_all();
  owner_.on_output_sent();
}

void OutputQueue::on_timer() {
  Error error{.code = Errc::disconnected, .message = stream_->name() + ": the other side stopped reading"};
  abandon();
  owner_.on_output_stalled(std::move(error));
}

void OutputQueue::abandon() {
  if (failed_) return;
  failed_ = true;
  stop();
  TurnEnd::unlink();
  out_ = {};
  later_ = {};
  later_bytes_ = 0;
  if (!busy_) {  // A write in progress still looks at it.
    rest_ = {};
    sent_ = 0;
  }
  drained_.notify_all();
}

void OutputQueue::send_now() {
  if (busy_ || failed_ || stream_ == nullptr) return;
  while (!later_.empty()) {
    const Segment next = next_segment();
    if (stream_->try_write(next.bytes()) != next.bytes().size()) return abandon();
  }
  out_.erase(0, stream_->try_write(out_));
}

std::string OutputQueue::detach() {
  PARLANCE_CHECK(!busy_ && later_.empty(), "no write in progress");
  TurnEnd::unlink();
  stop();
  stream_ = nullptr;
  return std::exchange(out_, {});
}

}  // namespace parlance
