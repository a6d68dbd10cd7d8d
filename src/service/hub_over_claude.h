// One conversation of the hub for a host of Claude Code (the Claude agent SDK, an editor): we speak as Claude Code would, whatever
// agent answers. Loop thread only; the hub outlives it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "async/task.h"
#include "hub/hub.h"
#include "service/claude_relay.h"
#include "service/structured_output.h"
#include "service/tool_hooks.h"
#include "service/tools_via_mcp.h"
#include "transport/frames.h"

namespace parlance::service {

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
  ToolHooksPort* port = nullptr;                         // of the agent whose tool calls pass the host's hooks. Outlives us
  hub::Tools* offered = nullptr;                         // what the agent's model is offered; null: it is not known. Outlives us
  std::function<void(const std::string&)> add_folder{};  // one more that its tools may work in
  ToolsViaMcp* tools = nullptr;        // where MCP servers of the host are added; null: they are not called. Outlives us
  ClaudeRelay* relay = nullptr;        // … instead: to a Claude Code that answers. Outlives us
  StructuredOutput* output = nullptr;  // where the agent gives it; null: it gives none. Outlives us
  std::vector<std::string> servers{};  // of the host, known before it speaks
  hub::PromptOptions options{};        // of every prompt
  bool asks = false;  // --permission-prompt-tool stdio: the host answers; otherwise what would be asked is refused
};

// How it ended, and what Claude Code would end with: an exit code of 1 where the last result was an error.
struct ClaudeServed {
  Error end{};
  bool last_failed = false;
};

// Serves until the host ends its input and what it asked for is done.
Task<ClaudeServed> serve_hub_over_claude(Loop& loop, hub::Hub& hub, std::unique_ptr<Frames> frames, ClaudeFaceSettings settings);

}  // namespace parlance::service
