// SPDX-License-Identifier: Apache-2.0
// The editor of a chat, for agents that run their tools themselves: over a socket of the chat's own, wherever the editor itself is reached.
// Loop thread only; the editor outlives it, and it outlives the agents.
#pragma once

#include <memory>

#include "apps/parlance/run/editor_server.h"
#include "parlance/face/editor/editor_socket.h"
#include "parlance/hub/editor/editor.h"

namespace parlance::app {

class OfferedEditor {
 public:
  OfferedEditor(Loop& loop, hub::Editor& editor);
  // Before the agent is made. Errors: of listening, and of the configuration.
  Result<void> to(const Settings& settings, AgentHome& home);

 private:
  Loop& loop_;
  Router router_;
  std::unique_ptr<face::EditorSocket> socket_;  // from the first agent on
};

}  // namespace parlance::app
