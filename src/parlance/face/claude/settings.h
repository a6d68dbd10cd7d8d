// SPDX-License-Identifier: Apache-2.0
// What a host of Claude Code said on the command line, and what of ours it reaches. A value; loop thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parlance/adapter/claude/relay.h"
#include "parlance/hub/agent.h"
#include "parlance/toolbox/mcp/tools_via_mcp.h"
#include "parlance/toolbox/structured_output.h"
#include "parlance/toolbox/tool_hooks.h"

namespace parlance::face {

struct ClaudeFaceSettings {
  std::string conversation{};  // of the hub; exists
  std::string session_id{};    // what the host calls it
  std::string version{};       // ours
  bool partial_messages = false;
  bool replay_user_messages = false;
  std::string permission_mode{};                         // as the host asked for it; empty: that of the conversation
  bool may_bypass = true;                                // whether the mode bypassPermissions can be chosen later
  std::string source = "startup";                        // of the session, for its hooks: startup or resume
  std::vector<std::string> allowed_tools{};              // rules: never asked about ("Bash(git log:*)", "mcp__SERVER")
  std::vector<std::string> disallowed_tools{};           // the same, never allowed, whatever mode or hook would say
  toolbox::ToolHooksPort* port = nullptr;                // of the agent whose tool calls pass the host's hooks. Outlives us
  hub::Tools* offered = nullptr;                         // what the agent's model is offered; null: it is not known. Outlives us
  std::function<void(const std::string&)> add_folder{};  // one more that its tools may work in
  toolbox::ToolsViaMcp* tools = nullptr;        // where MCP servers of the host are added; null: they are not called. Outlives us
  adapter::ClaudeRelay* relay = nullptr;        // … instead: to a Claude Code that answers. Outlives us
  toolbox::StructuredOutput* output = nullptr;  // where the agent gives it; null: it gives none. Outlives us
  std::vector<std::string> servers{};           // of the host, known before it speaks
  hub::PromptOptions options{};                 // of every prompt
  bool asks = false;  // --permission-prompt-tool stdio: the host answers; otherwise what would be asked is refused
};

}  // namespace parlance::face
