// SPDX-License-Identifier: Apache-2.0
// Makes an agent by name, for subcommands without a gateway. Loop thread only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/parlance/config/settings.h"
#include "parlance/async/scope.h"
#include "parlance/driver/claude/agent_via_claude.h"
#include "parlance/driver/gorpc/agent_link.h"
#include "parlance/driver/gorpc/agent_via_gorpc.h"
#include "parlance/driver/gorpc/backend_via_gorpc.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/process/program_words.h"
#include "parlance/toolbox/builtin_tools.h"
#include "parlance/toolbox/claude_named_tools.h"
#include "parlance/toolbox/mcp/tools_via_mcp.h"
#include "parlance/toolbox/structured_output.h"
#include "parlance/toolbox/tool_hooks.h"

namespace parlance::app {

// The settings of Claude Code. Error: not_found (the program is missing).
Result<driver::ClaudeAgentSettings> claude_settings(const Settings& settings);

// For the built-in agent: the setting tool-rounds, and the servers its turns wait for. Both must outlive the agent.
// Errors: invalid_params.
Result<void> complete_own_agent(const Settings& settings, toolbox::ToolsViaMcp& servers, driver::GorpcAgentSettings& agent);

// The objects needed by an agent; destroyed after the hub with its provider.
struct AgentHome {
  std::shared_ptr<void> socket;           // removes the socket file after the agent, which may be killed
  std::unique_ptr<ChildProcess> process;  // our own agent, when none runs at the socket
  std::unique_ptr<driver::AgentLink> link;
  std::unique_ptr<Scope> watching;                  // reports the end of the process to the link
  std::unique_ptr<driver::BackendViaGorpc> memory;  // of this agent
  std::unique_ptr<workspace::CommandRunner> commands;
  std::unique_ptr<toolbox::BuiltinTools> tools;
  std::unique_ptr<toolbox::StructuredOutput> output;  // destroyed before the tools; null: the agent accepts no tools of parlance
  std::unique_ptr<adapter::ClaudeRelay> relay;        // for claude with a host of another program: set before the agent is made
  std::unique_ptr<toolbox::ToolHooksPort>
      port;  // for agents with our tools, set likewise: then the tools have Claude Code's names
  std::unique_ptr<toolbox::ClaudeNamedTools> named;
  std::unique_ptr<toolbox::ToolsViaMcp> mcp_tools;  // the same, and tools of added MCP servers; null: none
  // The client's servers, for an agent that starts servers itself: in addition to the configured servers, and replacing servers
  // of the same name.
  std::vector<toolbox::McpServerSettings> client_servers;
};

// The agent of the setting default-agent, otherwise parlance.
std::string default_agent(const Settings& settings);

// `name`: claude, parlance, acp (with its program or its address as `command`), or a known or configured agent. Errors:
// invalid_params (no such agent), not_found (its program is missing; with a relay, the host receives the error at the start).
Result<std::unique_ptr<hub::AgentProvider>> make_agent(Loop& loop, const Settings& settings, const std::string& name,
                                                       const std::vector<std::string>& command, AgentHome& home);

}  // namespace parlance::app
