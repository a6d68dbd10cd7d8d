// SPDX-License-Identifier: Apache-2.0
// Start parameters and `initialize` request of a Claude Code process for a conversation. Loop thread only.
#pragma once

#include <memory>

#include "parlance/base/result.h"
#include "parlance/driver/claude/hooks.h"
#include "parlance/driver/claude/settings.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/process/private_file.h"
#include "parlance/protocol/claude/launch.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::driver {

struct ClaudeStart {
  claude::Launch launch{};
  std::unique_ptr<PrivateFile> mcp_config{};  // named in `launch`; lives as long as the process
  adapter::ClaudeOwnServers own_servers{};    // announced to the process; live as long as the process
};

// `session`: the agent's current session, possibly newer than the conversation's. Errors: a file cannot be written.
Result<ClaudeStart> claude_start(const ClaudeAgentSettings& settings, const hub::SessionSetup& setup,
                                 const hub::AgentSession& session, const hub::PromptOptions& options);

std::string claude_home(const claude::Launch& launch);  // the process's home folder; empty: unknown

// The `initialize` request. A host's request is kept, with additions of this program.
wire::Raw claude_initialize(const ClaudeAgentSettings& settings, const ClaudeHooks& hooks, const hub::PromptOptions& options,
                            const adapter::ClaudeOwnServers& own = {});

}  // namespace parlance::driver
