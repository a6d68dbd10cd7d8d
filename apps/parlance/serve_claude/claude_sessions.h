// SPDX-License-Identifier: Apache-2.0
// The sessions of serve-claude: one store for each, so that any number of hosts may start us at once.
#pragma once

#include <string>

#include "parlance/base/result.h"

namespace parlance::app {

// What a host asks for with its flags.
struct ClaudeSessionWish {
  std::string resume{};      // a session, by its id
  bool go_on = false;        // … or the newest one of `folder`, if there is one
  std::string folder{};      // where we were started
  bool fork = false;         // as a session of its own; the old one stays as it is
  std::string resume_at{};   // with no more than came up to the message of this uuid
  std::string session_id{};  // name for a new one; empty: any
};

struct ClaudeSession {
  std::string id{};
  std::string state{};   // its folder
  bool resumed = false;  // or forked: it holds something
  // For an agent that keeps its sessions itself: the message to resume it at. Our own log of it stays whole then.
  std::string agent_resumes_at{};
};

// Errors: invalid_params, not_found ("No conversation found with session ID: …"), failed (another program works with it).
Result<ClaudeSession> find_claude_session(const std::string& sessions_folder, const ClaudeSessionWish& wish);

}  // namespace parlance::app
