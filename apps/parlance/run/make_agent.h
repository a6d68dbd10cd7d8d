// SPDX-License-Identifier: Apache-2.0
// An agent by its name, made for the subcommands that drive one without a gateway. Loop thread only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/parlance/config/settings.h"
#include "parlance/driver/claude/agent_via_claude.h"
#include "parlance/driver/gorpc/agent_link.h"
#include "parlance/driver/gorpc/agent_via_gorpc.h"
#include "parlance/driver/gorpc/backend_via_gorpc.h"
#include "parlance/hub/agent.h"
#include "parlance/process/program_words.h"
#include "parlance/toolbox/builtin_tools.h"
#include "parlance/toolbox/claude_named_tools.h"
#include "parlance/toolbox/mcp/tools_via_mcp.h"
#include "parlance/toolbox/structured_output.h"
#include "parlance/toolbox/tool_hooks.h"

namespace parlance::app {

// Claude Code as the settings name it; nothing when its program is not there (the error names it).
Result<driver::ClaudeAgentSettings> claude_settings(const Settings& settings);

// For the built-in agent: the setting tool-rounds, and the servers that its turns wait for. They outlive the agent. Errors: invalid_params.
Result<void> complete_own_agent(const Settings& settings, toolbox::ToolsViaMcp& servers, driver::GorpcAgentSettings& agent);

// What an agent needs to live; destroyed after the hub that has its provider.
struct AgentHome {
  std::shared_ptr<void> socket;           // takes the file of its socket away, behind the agent, which may be killed
  std::unique_ptr<ChildProcess> process;  // our own agent, when none runs at the socket
  std::unique_ptr<driver::AgentLink> link;
  std::unique_ptr<driver::BackendViaGorpc> memory;  // of that agent
  std::unique_ptr<workspace::CommandRunner> commands;
  std::unique_ptr<toolbox::BuiltinTools> tools;
  std::unique_ptr<toolbox::StructuredOutput> output;  // before those; null: it takes no tools of ours
  std::unique_ptr<adapter::ClaudeRelay>
      relay;  // for claude, when somebody else's host is served: put in before the agent is made
  std::unique_ptr<toolbox::ToolHooksPort>
      port;  // for agents whose tools we run, in the same way: then their tools have Claude Code's names
  std::unique_ptr<toolbox::ClaudeNamedTools> named;
  std::unique_ptr<toolbox::ToolsViaMcp> mcp_tools;  // the same, and those of MCP servers that are added; null: it takes none
  // Of whoever is served with it, for an agent that starts servers itself: beside those of the configuration, before those of that name.
  std::vector<toolbox::McpServerSettings> client_servers;
};

// `name`: claude, parlance, acp (with its program or its address as `command`), or an agent that is known or configured. Errors: invalid_params (no such agent), not_found (its program is not there; with a relay the host hears
// of it, when it is to be started).
Result<std::unique_ptr<hub::AgentProvider>> make_agent(Loop& loop, const Settings& settings, const std::string& name,
                                                       const std::vector<std::string>& command, AgentHome& home);

}  // namespace parlance::app
