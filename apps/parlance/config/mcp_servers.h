// SPDX-License-Identifier: Apache-2.0
// The MCP servers that a person configured, as tables of parlance.toml:
//
//   [mcp.files]
//   command = ["npx", "@modelcontextprotocol/server-filesystem", "/home/ada"]
//
//   [mcp.tickets]
//   url = "https://tickets.example/mcp"
//   token_variable = "TICKETS_TOKEN"     # the environment variable that has the token
//   timeout = 60                         # seconds without a word from it during one call
//   transport = "sse"                    # as of 2024-11-05; left out: http, and sse where that is refused
//
// and one named `sqlite`, our own, when the setting `databases` names any and no table [mcp.sqlite] says otherwise.
#pragma once

#include <vector>

#include "apps/parlance/config/settings.h"
#include "parlance/toolbox/mcp/tools_via_mcp.h"

namespace parlance::app {

// Errors: invalid_params, with the file and the key.
Result<std::vector<toolbox::McpServerSettings>> mcp_servers(const Settings& settings);

}  // namespace parlance::app
