// An agent by its name, made for the subcommands that drive one without a gateway. Loop thread only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hub/agent.h"
#include "service/agent_link.h"
#include "service/agent_via_claude.h"
#include "service/builtin_tools.h"
#include "service/claude_named_tools.h"
#include "service/program_words.h"
#include "service/structured_output.h"
#include "service/tool_hooks.h"
#include "service/tools_via_mcp.h"
#include "settings.h"

namespace parlance::app {

// Claude Code as the settings name it; nothing when its program is not there (the error names it).
Result<service::ClaudeAgentSettings> claude_settings(const Settings& settings);

// What an agent needs to live; destroyed after the hub that has its provider.
struct AgentHome {
  std::unique_ptr<ChildProcess> process;  // our own agent, when none runs at the socket
  std::unique_ptr<service::AgentLink> link;
  std::unique_ptr<hub::CommandRunner> commands;
  std::unique_ptr<service::BuiltinTools> tools;
  std::unique_ptr<service::StructuredOutput> output;  // before those; null: it takes no tools of ours
  std::unique_ptr<service::ClaudeRelay>
      relay;  // for claude, when somebody else's host is served: put in before the agent is made
  std::unique_ptr<service::ToolHooksPort>
      port;  // for agents whose tools we run, in the same way: then their tools have Claude Code's names
  std::unique_ptr<service::ClaudeNamedTools> named;
  std::unique_ptr<service::ToolsViaMcp> mcp_tools;  // the same, and those of MCP servers that are added; null: it takes none
};

// `name`: claude or parlance. Errors: invalid_params (no such agent), not_found (its program is not there; with a relay the host hears
// of it, when it is to be started).
Result<std::unique_ptr<hub::AgentProvider>> make_agent(Loop& loop, const Settings& settings, const std::string& name,
                                                       const std::vector<std::string>& command, AgentHome& home);

}  // namespace parlance::app
