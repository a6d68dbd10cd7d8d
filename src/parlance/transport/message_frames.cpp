// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/message_frames.h"

#include <utility>

#include "parlance/base/check.h"

namespace parlance {

void MessageFrames::receive(std::string message) {
  waiting_bytes_ += message.size();
  waiting_.push_back(std::move(message));
  if (reader_ != nullptr) loop_.wake(*this);
}

Task<void> MessageFrames::wait_writable() {
  while (waiting_bytes_ >= limits::write_queue_bytes && !error_) co_await read_.wait();
}

void MessageFrames::end() {
  ended_ = true;
  if (reader_ != nullptr) loop_.wake(*this);
}

void MessageFrames::fail(Error error) {
  if (!error_) error_ = std::move(error);
  read_.notify_all();
  if (reader_ != nullptr) loop_.wake(*this);
}

void MessageFrames::close() { fail({.code = Errc::disconnected, .message = name_ + ": the connection is closed"}); }

void MessageFrames::start_read(FramesDone& done) {
  PARLANCE_CHECK(reader_ == nullptr, "one read at a time");
  reader_ = &done;
  if (!waiting_.empty() || ended_ || error_) loop_.wake(*this);
}

void MessageFrames::on_ready() {
  if (reader_ == nullptr) return;
  FramesDone& done = *std::exchange(reader_, nullptr);
  batch_.assign(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(waiting_.end()));
  waiting_.clear();
  waiting_bytes_ = 0;
  read_.notify_all();
  views_.assign(batch_.begin(), batch_.end());
  if (views_.empty() && error_) return done.on_frames(std::unexpected(*error_));
  done.on_frames(FrameBatch{.frames = views_});
}

Result<void> MessageFrames::end_frame() {
  sink_(std::exchange(frame_, {}));
  return {};
}

}  // namespace parlance
