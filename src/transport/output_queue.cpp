#include "transport/output_queue.h"

#include <algorithm>

namespace parlance {
namespace {

// One write is at most so long: a stall is judged by progress, and progress is seen between writes.
constexpr std::size_t write_piece_bytes = 256 << 10;
// A buffer up to this size survives its flush: enough for streamed tokens, little enough for ten thousand idle connections.
constexpr std::size_t kept_buffer_bytes = 512;

}  // namespace

void OutputQueue::flush() {
  if (busy_ || failed_ || stream_ == nullptr || out_.empty()) return;
  const std::size_t taken = stream_->try_write(out_);
  if (taken == out_.size()) {
    sent();
    return;
  }
  rest_ = std::exchange(out_, {});
  sent_ = taken;
  write_piece();
}

void OutputQueue::write_piece() {
  piece_ = std::min(rest_.size() - sent_, write_piece_bytes);
  busy_ = true;
  if (stall_.count() != 0) start(loop_, loop_.now() + stall_);
  stream_->start_write(BytesView(rest_).substr(sent_, piece_), *this);
}

void OutputQueue::on_io(Result<std::size_t> bytes) {
  busy_ = false;
  stop();
  if (failed_) return;
  if (!bytes) {
    fail_with(std::move(bytes).error());
    return;
  }
  sent_ += piece_;
  if (sent_ < rest_.size()) {
    write_piece();
    return;
  }
  rest_ = {};
  sent_ = 0;
  if (out_.empty()) {
    sent();
  } else {
    if (!congested()) drained_.notify_all();
    flush();
  }
}

void OutputQueue::sent() {
  if (out_.capacity() > kept_buffer_bytes) out_ = {};
  else out_.clear();
  drained_.notify_all();
  owner_.on_output_sent();
}

void OutputQueue::fail_with(Error error) {
  abandon();
  owner_.on_output_failed(std::move(error));
}

void OutputQueue::abandon() {
  if (failed_) return;
  failed_ = true;
  stop();
  TurnEnd::unlink();
  out_ = {};
  if (!busy_) rest_ = {};  // A write in progress still looks at it.
  drained_.notify_all();
}

void OutputQueue::send_now() {
  if (busy_ || failed_ || stream_ == nullptr) return;
  out_.erase(0, stream_->try_write(out_));
}

std::string OutputQueue::detach() {
  PARLANCE_CHECK(!busy_, "no write in progress");
  TurnEnd::unlink();
  stop();
  stream_ = nullptr;
  return std::exchange(out_, {});
}

}  // namespace parlance
