// SPDX-License-Identifier: Apache-2.0
// The settings of Claude Code as an agent of the hub. A value.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parlance/adapter/claude/own_server.h"
#include "parlance/adapter/claude/relay.h"
#include "parlance/base/error.h"
#include "parlance/driver/claude/hooks.h"
#include "parlance/protocol/claude/launch.h"

namespace parlance::hub {
struct AgentInfo;     // hub/conversation/conversation.h
struct SessionSetup;  // conversation/session_setup.h
}  // namespace parlance::hub

namespace parlance::driver {

// An in-process MCP server of this program, created for each process of Claude Code.
struct ClaudeOwnServerSettings {
  std::string name{};
  std::function<std::unique_ptr<adapter::ClaudeOwnServer>(const hub::SessionSetup&)> make{};
};

struct ClaudeAgentSettings {
  std::string id = "claude";
  std::string name = "Claude Code";
  claude::Launch launch{};  // the conversation sets folder, mode, model and session
  std::vector<ClaudeHook> hooks{};
  // MCP servers beside those of `launch`, as JSON or empty; called at each start. Omitted for a host with `--strict-mcp-config`.
  std::function<std::string()> mcp_servers{};
  std::vector<ClaudeOwnServerSettings> own_servers{};  // … an existing server of the same name takes precedence
  adapter::ClaudeRelay* relay = nullptr;               // for the only conversation; must outlive the provider
  std::vector<std::string> models{"default", "sonnet", "opus", "haiku"};  // until the first session reports its models
  std::function<void(const hub::AgentInfo&)> changed{};                   // for Hub::agent_changed
};

Error no_claude(const std::string& program);  // a missing program, with the remedy

}  // namespace parlance::driver
