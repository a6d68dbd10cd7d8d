// SPDX-License-Identifier: Apache-2.0
// Frames for a client of iFlow's SDK. Such a client receives a single frame at a time. The client drops frames in a common read:
// the client sees only one of several frames of a read, and none sent together with the answer to the upgrade. So each frame
// waits until the client has answered a ping behind the previous frame. The answer proves that the client has read the previous
// frame and continued its event loop. Timing alone is no proof, because a delayed process reads separate frames together. A
// request to the client blocks all later frames until its answer, because the client does not listen meanwhile. `//ready` follows
// the first answered ping, and repeats until the client's first message. The output is `congested` while a frame waits, so
// producers join their text. Loop thread only.
#pragma once

#include <chrono>
#include <memory>

#include "parlance/async/loop.h"
#include "parlance/transport/http/websocket_frames.h"

namespace parlance::face {

struct PacedFramesSettings {
  std::chrono::milliseconds ready_again{500};
  // The wait for an answer, from the read of the request: a client with a dialog listens again.
  std::chrono::milliseconds longest_silence{1'000};
};

std::unique_ptr<Frames> paced_frames(Loop& loop, std::unique_ptr<WebSocketFrames> inner, PacedFramesSettings settings = {});

}  // namespace parlance::face
