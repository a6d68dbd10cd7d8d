// SPDX-License-Identifier: Apache-2.0
// Frames with an observer of each incoming frame, called before the reader. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "parlance/transport/frames.h"

namespace parlance::iflow {

// `on_frame` must not destroy the frames.
std::unique_ptr<Frames> tapped(std::unique_ptr<Frames> frames, std::function<void(BytesView frame)> on_frame);

}  // namespace parlance::iflow
