// SPDX-License-Identifier: Apache-2.0
// Lines on their way to a host of Claude Code: in order, none dropped, each when the host has taken what is before it. A connection that
// is far behind refuses lines; here they wait. Loop thread only; `agent` outlives it.
#pragma once

#include <deque>
#include <string>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/protocol/claude/agent.h"

namespace parlance::face {

class ClaudeOutbox {
 public:
  ClaudeOutbox(Loop& loop, claude::AgentSide& agent) : agent_(agent), changed_(loop), scope_(loop) {}

  void send(std::string line);
  // Nothing waits here any more: whoever sends much waits for it, and what waits stays small.
  Task<void> sent();

 private:
  Task<void> write();

  claude::AgentSide& agent_;
  std::deque<std::string> waiting_;
  Signal changed_;
  Scope scope_;
};

}  // namespace parlance::face
