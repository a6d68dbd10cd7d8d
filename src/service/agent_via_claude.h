// Claude Code as an agent of the hub: one process a conversation, started with its first prompt or to prepare it, resumed by its session
// id after a restart. Its questions go through the hub's policy to a person; what it suggests as rules becomes choices. Loop thread only;
// the provider outlives its agents (the hub sees to it).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hub/agent.h"
#include "protocol/claude/launch.h"
#include "service/claude_hooks.h"
#include "service/claude_relay.h"

namespace parlance::service {

struct ClaudeAgentSettings {
  std::string id = "claude";
  std::string name = "Claude Code";
  claude::Launch launch{};  // folder, mode, model and session are the conversation's
  std::vector<ClaudeHook> hooks{};
  // MCP servers beside those of `launch`, asked for at each start: JSON, or empty. A host that wants none but its own gets none of them.
  std::function<std::string()> mcp_servers{};
  ClaudeRelay* relay = nullptr;  // for the Claude Code of the only conversation; outlives the provider
  std::vector<std::string> models{"default", "sonnet", "opus", "haiku"};  // until a session has told what there is
  std::function<void(const hub::AgentInfo&)> changed{};                   // for Hub::agent_changed
};

Error no_claude(const std::string& program);  // none of that name, and what to do about it

std::unique_ptr<hub::AgentProvider> agent_via_claude(Loop& loop, ClaudeAgentSettings settings);

}  // namespace parlance::service
