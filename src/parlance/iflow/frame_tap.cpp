#include "parlance/iflow/frame_tap.h"

#include <utility>

namespace parlance::iflow {
namespace {

class FrameTap final : public Frames, private FramesDone {
 public:
  FrameTap(std::unique_ptr<Frames> inner, std::function<void(BytesView)> on_frame)
      : inner_(std::move(inner)), on_frame_(std::move(on_frame)) {}

  void start_read(FramesDone& done) override {
    done_ = &done;
    inner_->start_read(*this);
  }
  void stop_read() override { inner_->stop_read(); }
  bool congested() const override { return inner_->congested(); }
  Signal& drained() override { return inner_->drained(); }
  std::size_t queued_bytes() const override { return inner_->queued_bytes(); }
  void watch(HangUp* watcher) override { inner_->watch(watcher); }
  void finish() override { inner_->finish(); }
  void close() override { inner_->close(); }
  std::string name() const override { return inner_->name(); }

 protected:
  std::string& begin_frame() override {
    frame_.clear();
    return frame_;
  }
  Result<void> end_frame() override { return inner_->send(frame_); }
  void abandon_frame() override { frame_.clear(); }

 private:
  void on_frames(FramesRead batch) override {
    if (batch)
      for (const BytesView frame : *batch) on_frame_(frame);
    done_->on_frames(std::move(batch));
  }

  std::unique_ptr<Frames> inner_;
  std::function<void(BytesView)> on_frame_;
  FramesDone* done_ = nullptr;
  std::string frame_;
};

}  // namespace

std::unique_ptr<Frames> tapped(std::unique_ptr<Frames> frames, std::function<void(BytesView)> on_frame) {
  return std::make_unique<FrameTap>(std::move(frames), std::move(on_frame));
}

}  // namespace parlance::iflow
