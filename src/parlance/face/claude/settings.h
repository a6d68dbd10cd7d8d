// SPDX-License-Identifier: Apache-2.0
// Options of a Claude Code host's command line, and the connected parts of parlance. A value; loop thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parlance/adapter/claude/relay.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/toolbox/mcp/tools_via_mcp.h"
#include "parlance/toolbox/structured_output.h"
#include "parlance/toolbox/tool_hooks.h"

namespace parlance::face {

struct ClaudeFrontendSettings {
  std::string conversation{};  // id in the hub; exists
  std::string session_id{};    // the host's id
  std::string version{};       // version of parlance
  bool partial_messages = false;
  bool replay_user_messages = false;
  std::string permission_mode{};                // requested by the host; empty: the conversation's mode
  bool may_bypass = true;                       // whether bypassPermissions can be selected later
  std::string source = "startup";               // of the session, for its hooks: startup or resume
  std::vector<std::string> allowed_tools{};     // rules for calls without a request ("Bash(git log:*)", "mcp__SERVER")
  std::vector<std::string> disallowed_tools{};  // the same for forbidden calls, in every mode and with every hook
  toolbox::ToolHooksPort* port = nullptr;       // of the agent whose calls pass the host's hooks. Must outlive the frontend
  hub::Tools* offered = nullptr;                // the tools of the agent's model; null: unknown. Must outlive the frontend
  std::function<void(const std::string&)> add_folder{};  // adds a working folder for its tools
  toolbox::ToolsViaMcp* tools = nullptr;                 // for MCP servers of the host; null: unused. Must outlive the frontend
  adapter::ClaudeRelay* relay = nullptr;                 // … alternatively: to a relayed Claude Code. Must outlive the frontend
  toolbox::StructuredOutput* output = nullptr;  // the agent's structured output; null: not supported. Must outlive the frontend
  std::vector<std::string> servers{};           // of the host, known before its first message
  hub::PromptOptions options{};                 // for every prompt
  bool asks = false;  // --permission-prompt-tool stdio: the host answers; otherwise requests are refused
};

}  // namespace parlance::face
