// SPDX-License-Identifier: Apache-2.0
// The memory for Claude Code, which has its own tools: an MCP server with the name `memory`, whose tools need approval like
// others. For a memory in a file, Claude Code starts a program. For a team's shared memory, the gateway is the server and knows
// each conversation's user, so that no agent needs the database's address. Loop thread only.
#pragma once

#include <string>

#include "apps/parlance/config/settings.h"
#include "parlance/agent/backend.h"
#include "parlance/driver/claude/settings.h"

namespace parlance::hub {
class Hub;
}

namespace parlance::app {

// The program, in the form of --mcp-config.
std::string memory_server(const Settings& settings);

// In place of the program. The agent with the memory, and the hub with each turn's user, outlive all objects made with the
// settings.
void serve_shared_memory(driver::ClaudeAgentSettings& claude, Loop& loop, agent::AgentBackend& agent, const hub::Hub& hub);

}  // namespace parlance::app
