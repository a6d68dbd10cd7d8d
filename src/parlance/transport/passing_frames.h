// SPDX-License-Identifier: Apache-2.0
// Frames that forward all calls to inner frames: a base for frames that inspect or change single messages. Loop thread only.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "parlance/transport/frames.h"

namespace parlance {

// `Inner`: Frames, or the frames of one transport, for its additional calls.
template <class Inner = Frames>
class PassingFrames : public Frames, private FramesDone {
 public:
  explicit PassingFrames(std::unique_ptr<Inner> inner) : inner_(std::move(inner)) {}

  void start_read(FramesDone& done) override {
    reader_ = &done;
    inner_->start_read(*this);
  }
  void stop_read() override {
    reader_ = nullptr;
    inner_->stop_read();
  }
  bool congested() const override { return inner_->congested(); }
  Signal& drained() override { return inner_->drained(); }
  std::size_t queued_bytes() const override { return inner_->queued_bytes(); }
  void watch(HangUp* watcher) override { inner_->watch(watcher); }
  void finish() override { inner_->finish(); }
  void close() override { inner_->close(); }
  std::string name() const override { return inner_->name(); }

 protected:
  // The received batch in the form for the reader. Must not destroy the frames.
  virtual FramesRead passed_on(FramesRead batch) { return batch; }
  // Sends a frame. Errors: those of send.
  virtual Result<void> send_on(std::string frame) { return inner_->send(frame); }
  Inner& inner() const { return *inner_; }

 private:
  std::string& begin_frame() override { return frame_; }
  Result<void> end_frame() override { return send_on(std::exchange(frame_, {})); }
  void abandon_frame() override { frame_.clear(); }
  void on_frames(FramesRead batch) override {
    FramesDone& done = *std::exchange(reader_, nullptr);
    done.on_frames(passed_on(std::move(batch)));
  }

  std::unique_ptr<Inner> inner_;
  FramesDone* reader_ = nullptr;
  std::string frame_;
};

}  // namespace parlance
