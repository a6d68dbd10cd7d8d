// SPDX-License-Identifier: Apache-2.0
// What a process of Claude Code is started with for a conversation, and what it is told first. Loop thread only.
#pragma once

#include <memory>

#include "parlance/base/result.h"
#include "parlance/driver/claude/hooks.h"
#include "parlance/driver/claude/settings.h"
#include "parlance/hub/agent.h"
#include "parlance/process/private_file.h"
#include "parlance/protocol/claude/launch.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::driver {

struct ClaudeStart {
  claude::Launch launch{};
  std::unique_ptr<PrivateFile> mcp_config{};  // named by `launch`; kept while its process may read it
  adapter::ClaudeOwnServers own_servers{};    // that it was told of; kept while its process may ask them
};

// `session`: as the agent knows it, which may be newer than what the conversation holds. Errors: a file cannot be written.
Result<ClaudeStart> claude_start(const ClaudeAgentSettings& settings, const hub::Conversation& conversation,
                                 const hub::NativeSession& session, const hub::PromptOptions& options);

std::string claude_home(const claude::Launch& launch);  // the home folder of its process; empty: unknown

// Its `initialize`. What a host asks for goes as it came, with what is ours put in.
wire::Raw claude_initialize(const ClaudeAgentSettings& settings, const ClaudeHooks& hooks, const hub::PromptOptions& options,
                            const adapter::ClaudeOwnServers& own = {});

}  // namespace parlance::driver
