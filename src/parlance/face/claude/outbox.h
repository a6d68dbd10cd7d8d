// SPDX-License-Identifier: Apache-2.0
// Lines on their way to a host of Claude Code: in order, without loss, each after the host has read the previous lines. A slow
// connection refuses lines; they wait here. Loop thread only; `agent` must outlive the object.
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
  // Waits until all lines are sent: producers of many lines call this, so the queue stays small.
  Task<void> sent();

 private:
  Task<void> write();

  claude::AgentSide& agent_;
  std::deque<std::string> waiting_;
  Signal changed_;
  Scope scope_;
};

}  // namespace parlance::face
