// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/frame_tap.h"

#include <utility>

#include "parlance/transport/passing_frames.h"

namespace parlance::iflow {
namespace {

class FrameTap final : public PassingFrames<> {
 public:
  FrameTap(std::unique_ptr<Frames> inner, std::function<void(BytesView)> on_frame)
      : PassingFrames(std::move(inner)), on_frame_(std::move(on_frame)) {}

 private:
  FramesRead passed_on(FramesRead batch) override {
    if (batch)
      for (const BytesView frame : *batch) on_frame_(frame);
    return batch;
  }

  std::function<void(BytesView)> on_frame_;
};

}  // namespace

std::unique_ptr<Frames> tapped(std::unique_ptr<Frames> frames, std::function<void(BytesView)> on_frame) {
  return std::make_unique<FrameTap>(std::move(frames), std::move(on_frame));
}

}  // namespace parlance::iflow
