// SPDX-License-Identifier: Apache-2.0
// How Claude Code is started as an agent of the hub. A value.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parlance/adapter/claude/own_server.h"
#include "parlance/adapter/claude/relay.h"
#include "parlance/base/error.h"
#include "parlance/driver/claude/hooks.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/protocol/claude/launch.h"

namespace parlance::driver {

// An MCP server that this program itself is for its Claude Code, made for each process of it.
struct ClaudeOwnServerSettings {
  std::string name{};
  std::function<std::unique_ptr<adapter::ClaudeOwnServer>(const hub::Conversation&)> make{};
};

struct ClaudeAgentSettings {
  std::string id = "claude";
  std::string name = "Claude Code";
  claude::Launch launch{};  // folder, mode, model and session are the conversation's
  std::vector<ClaudeHook> hooks{};
  // MCP servers beside those of `launch`, asked for at each start: JSON, or empty. A host that wants none but its own gets none of them.
  std::function<std::string()> mcp_servers{};
  std::vector<ClaudeOwnServerSettings> own_servers{};  // … and of which one counts that is there by the same name
  adapter::ClaudeRelay* relay = nullptr;               // for the Claude Code of the only conversation; outlives the provider
  std::vector<std::string> models{"default", "sonnet", "opus", "haiku"};  // until a session has told what there is
  std::function<void(const hub::AgentInfo&)> changed{};                   // for Hub::agent_changed
};

Error no_claude(const std::string& program);  // none of that name, and what to do about it

}  // namespace parlance::driver
