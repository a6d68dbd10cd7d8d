// SPDX-License-Identifier: Apache-2.0
// Serves a conversation of the hub to a host of Claude Code (the Claude agent SDK, an editor) in Claude Code's protocol, for any
// agent. Loop thread only; the hub must outlive the task.
#pragma once

#include <memory>

#include "parlance/async/task.h"
#include "parlance/face/claude/settings.h"
#include "parlance/hub/user_hub.h"
#include "parlance/transport/frames.h"

namespace parlance::face {

// The end of the session, with Claude Code's exit code: 1 if the last result was an error.
struct ClaudeServed {
  Error end{};
  bool last_failed = false;
};

// Serves until the host ends its input and all its requests are done.
Task<ClaudeServed> serve_hub_over_claude(Loop& loop, hub::UserHub hub, std::unique_ptr<Frames> frames,
                                         ClaudeFrontendSettings settings);

}  // namespace parlance::face
