// SPDX-License-Identifier: Apache-2.0
// Selects the MCP servers for an ACP agent. The agent connects to them itself, and asks for permission of their tools, if it asks
// at all. Pure; any thread.
#pragma once

#include <vector>

#include "parlance/protocol/acp/initialize.h"
#include "parlance/protocol/acp/session.h"
#include "parlance/toolbox/mcp/tools_via_mcp.h"

namespace parlance::driver {

// The servers within the agent's reach: programs always, addresses if supported. `left_out` names the others. A server with a
// connection of another owner is never passed on.
std::vector<acp::McpServer> acp_mcp_servers(const std::vector<toolbox::McpServerSettings>& servers,
                                            const std::optional<acp::McpCapabilities>& can, std::vector<std::string>& left_out);

}  // namespace parlance::driver
