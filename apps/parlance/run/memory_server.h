// SPDX-License-Identifier: Apache-2.0
// What the other agents remember, for Claude Code, which brings tools of its own: an MCP server named `memory`, whose tools are asked for as
// any others. Of a file it is a program that Claude Code starts; of a memory that a team shares it is the gateway, which knows whose a
// conversation is, so that no agent is given the database's address. Loop thread only.
#pragma once

#include <string>

#include "apps/parlance/config/settings.h"
#include "parlance/agent/backend.h"
#include "parlance/driver/claude/settings.h"
#include "parlance/hub/hub.h"

namespace parlance::app {

// The program, as --mcp-config has it.
std::string memory_server(const Settings& settings);

// In the place of the program. The agent, whose memory it is, and the hub, which knows whose message a turn answers, outlive all that is
// made with the settings.
void serve_shared_memory(driver::ClaudeAgentSettings& claude, Loop& loop, agent::AgentBackend& agent, const hub::Hub& hub);

}  // namespace parlance::app
