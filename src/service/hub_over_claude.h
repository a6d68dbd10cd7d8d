// One conversation of the hub for a host of Claude Code (the Claude agent SDK, an editor): we speak as Claude Code would, whatever
// agent answers. Loop thread only; the hub outlives it.
//
// What the host cannot have, it is told: a tool whose input the host wants changed is refused, because only the agent could change it.
#pragma once

#include <memory>
#include <string>

#include "async/task.h"
#include "hub/hub.h"
#include "service/claude_relay.h"
#include "service/structured_output.h"
#include "service/tools_via_mcp.h"
#include "transport/frames.h"

namespace parlance::service {

struct ClaudeFaceSettings {
  std::string conversation{};  // of the hub; exists
  std::string session_id{};    // what the host calls it
  std::string version{};       // ours
  bool partial_messages = false;
  bool replay_user_messages = false;
  std::string permission_mode{};                // as the host asked for it; empty: that of the conversation
  std::vector<std::string> allowed_tools{};     // never asked about: a tool's name, or mcp__SERVER for all of a server
  std::vector<std::string> disallowed_tools{};  // the same, never allowed
  ToolsViaMcp* tools = nullptr;                 // where MCP servers of the host are added; null: they are not called. Outlives us
  ClaudeRelay* relay = nullptr;                 // … instead: to a Claude Code that answers. Outlives us
  StructuredOutput* output = nullptr;           // where the agent gives it; null: it gives none. Outlives us
  std::vector<std::string> servers{};           // of the host, known before it speaks
  hub::PromptOptions options{};                 // of every prompt
  bool asks = false;  // --permission-prompt-tool stdio: the host answers; otherwise what would be asked is refused
};

// Serves until the host ends its input and what it asked for is done.
Task<Error> serve_hub_over_claude(Loop& loop, hub::Hub& hub, std::unique_ptr<Frames> frames, ClaudeFaceSettings settings);

}  // namespace parlance::service
