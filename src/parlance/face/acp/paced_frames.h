// Frames for a client of the iFlow SDK, which loses what comes too fast: of several frames that one read brings it sees one, and of
// the answer to the upgrade and the first frame together neither. So `//ready` leaves a little after the beginning, and again until the
// client speaks, and frames leave one by one, a few milliseconds apart, and so long after what the client said. What it is asked keeps all
// else back until it has answered, because it does not listen meanwhile. While a frame waits the output is `congested`, so that whoever
// produces text joins what comes meanwhile. Loop thread only.
#pragma once

#include <chrono>
#include <memory>

#include "parlance/async/loop.h"
#include "parlance/transport/frames.h"

namespace parlance::face {

struct PacedFramesSettings {
  // Measured with the SDK 0.1.2: of 200 frames 1 ms apart it loses up to ten, 3 ms apart up to four, 5 ms apart none.
  std::chrono::milliseconds pace{6};
  // A control line that says that we listen; empty: none (over pipes there is no upgrade to be lost with).
  std::string ready = "//ready";
  std::chrono::milliseconds first_ready{20};
  std::chrono::milliseconds ready_again{500};
  std::chrono::milliseconds longest_silence{1'000};  // for an answer: a client that asks a person listens again
};

std::unique_ptr<Frames> paced_frames(Loop& loop, std::unique_ptr<Frames> inner, PacedFramesSettings settings = {});

}  // namespace parlance::face
