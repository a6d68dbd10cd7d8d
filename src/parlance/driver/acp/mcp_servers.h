// SPDX-License-Identifier: Apache-2.0
// MCP servers whose tools an ACP agent is to have: it reaches them itself, and asks us before it calls their tools, if it asks at all. Pure;
// any thread.
#pragma once

#include <vector>

#include "parlance/protocol/acp/initialize.h"
#include "parlance/protocol/acp/session.h"
#include "parlance/toolbox/mcp/tools_via_mcp.h"

namespace parlance::driver {

// Those that such an agent can reach: programs always, addresses where it says so. `left_out` names the others. A server whose connection
// is somebody else's is nobody's to pass on.
std::vector<acp::McpServer> acp_mcp_servers(const std::vector<toolbox::McpServerSettings>& servers,
                                            const std::optional<acp::McpCapabilities>& can, std::vector<std::string>& left_out);

}  // namespace parlance::driver
