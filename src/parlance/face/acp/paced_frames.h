// SPDX-License-Identifier: Apache-2.0
// Frames for a client of the iFlow SDK, which hears one frame at a time: between a frame and its next look nobody listens, so that of
// several that one read brings it sees one, and of the answer to the upgrade and the first frame together neither. So each frame stays
// here until the client has answered a ping that left behind the one before it: whoever answers has read that one, and turned to its next
// event. Time is no measure of that: a program that the system lets run late finds together what left far apart. What the client is asked
// keeps all else back until it has answered, because it does not listen meanwhile. `//ready` is said when the first ping is answered, and
// again until the client speaks. While a frame waits the output is `congested`, so that whoever produces text joins what comes meanwhile.
// Loop thread only.
#pragma once

#include <chrono>
#include <memory>

#include "parlance/async/loop.h"
#include "parlance/transport/http/websocket_frames.h"

namespace parlance::face {

struct PacedFramesSettings {
  std::chrono::milliseconds ready_again{500};
  // For an answer, from when the question is read: a client that asks a person listens again.
  std::chrono::milliseconds longest_silence{1'000};
};

std::unique_ptr<Frames> paced_frames(Loop& loop, std::unique_ptr<WebSocketFrames> inner, PacedFramesSettings settings = {});

}  // namespace parlance::face
