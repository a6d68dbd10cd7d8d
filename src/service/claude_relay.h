// Between a host of Claude Code and a Claude Code that answers in our place: what the host brings for it goes through untouched. The
// face (hub_over_claude) and the agent (agent_via_claude) each put their end in; either may be gone. Loop thread only; outlives both.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "protocol/claude/messages.h"

namespace parlance::service {

struct ClaudeRelay {
  // ---- of the host's command line
  std::string mcp_config{};          // JSON, or empty
  std::vector<std::string> flags{};  // that mean something to Claude Code alone, as they came

  // ---- of the face
  std::vector<std::string> servers{};  // MCP servers that the host runs itself, by initialize
  std::function<Task<Result<claude::McpReply>>(claude::McpMessage)> to_host{};

  // ---- of the agent
  std::function<Task<Result<claude::McpReply>>(claude::McpMessage)> to_agent{};
  std::function<Task<Result<claude::McpStatus>>()> status{};
  std::function<Task<void>()> end{};         // politely: it writes its session down as it ends
  std::optional<claude::SystemInit> init{};  // the newest: its tools, and how its servers are
};

}  // namespace parlance::service
