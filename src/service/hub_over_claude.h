// One conversation of the hub for a host of Claude Code (the Claude agent SDK, an editor): we speak as Claude Code would, whatever
// agent answers. Loop thread only; the hub outlives it.
//
// What the host cannot have, it is told: a tool whose input the host wants changed is refused, because only the agent could change it.
#pragma once

#include <memory>
#include <string>

#include "async/task.h"
#include "hub/hub.h"
#include "transport/frames.h"

namespace parlance::service {

struct ClaudeFaceSettings {
  std::string conversation{};  // of the hub; exists
  std::string session_id{};    // what the host calls it
  std::string version{};       // ours
  bool partial_messages = false;
  bool replay_user_messages = false;
  bool asks = false;  // --permission-prompt-tool stdio: the host answers; otherwise what would be asked is refused
};

// Serves until the host ends its input and what it asked for is done.
Task<Error> serve_hub_over_claude(Loop& loop, hub::Hub& hub, std::unique_ptr<Frames> frames, ClaudeFaceSettings settings);

}  // namespace parlance::service
