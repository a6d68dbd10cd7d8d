// SPDX-License-Identifier: Apache-2.0
// One conversation of the hub for a host of Claude Code (the Claude agent SDK, an editor): we speak as Claude Code would, whatever
// agent answers. Loop thread only; the hub outlives it.
#pragma once

#include <memory>

#include "parlance/async/task.h"
#include "parlance/face/claude/settings.h"
#include "parlance/hub/user_hub.h"
#include "parlance/transport/frames.h"

namespace parlance::face {

// How it ended, and what Claude Code would end with: an exit code of 1 where the last result was an error.
struct ClaudeServed {
  Error end{};
  bool last_failed = false;
};

// Serves until the host ends its input and what it asked for is done.
Task<ClaudeServed> serve_hub_over_claude(Loop& loop, hub::UserHub hub, std::unique_ptr<Frames> frames,
                                         ClaudeFaceSettings settings);

}  // namespace parlance::face
