// Between a host of Claude Code and a Claude Code that answers in our place: what the host brings for it and what it says go through
// untouched. The face (hub_over_claude) and the agent (agent_via_claude) each put their end in; either may be gone. Loop thread only;
// outlives both.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "async/channel.h"
#include "async/task.h"
#include "base/result.h"
#include "protocol/claude/messages.h"
#include "protocol/claude/stream.h"

namespace parlance::service {

struct ClaudeRelay {
  explicit ClaudeRelay(Loop& loop) : host_reads(loop) {}

  // ---- of the host's command line
  std::string mcp_config{};          // JSON, or empty
  std::vector<std::string> flags{};  // that mean something to Claude Code alone, as they came
  std::string resume_at{};           // a message of the session that is taken up; until it is

  // ---- of the face
  wire::Raw initialize{};  // what of it is for Claude Code: hooks, servers that the host runs, sub-agents, …; or none came
  std::function<Task<Result<claude::McpReply>>(claude::McpMessage)> to_host{};
  std::function<Task<Result<wire::Raw>>(claude::HookCallback)> hook{};
  std::function<void(const claude::StreamLine&)> line{};
  bool host_is_slow = false;  // it has not read what it was told: nothing more is read for it
  Signal host_reads;          // … now it has

  // ---- of the agent, while its Claude Code runs
  const void* agent = nullptr;  // whose they are: one that ends late must not take those of the next
  wire::Raw initialized{};      // what it answered last to initialize
  std::function<Task<Result<claude::McpReply>>(claude::McpMessage)> to_agent{};
  std::function<Task<Result<claude::McpStatus>>()> status{};
  std::function<Task<Result<wire::Raw>>(std::string subtype, wire::Raw)> request{};  // any other of the host
};

}  // namespace parlance::service
