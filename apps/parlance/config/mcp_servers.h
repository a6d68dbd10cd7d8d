// SPDX-License-Identifier: Apache-2.0
// Configured MCP servers, as tables of parlance.toml:
//
//   [mcp.files]
//   command = ["npx", "@modelcontextprotocol/server-filesystem", "/home/ada"]
//
//   [mcp.tickets]
//   url = "https://tickets.example/mcp"
//   token_variable = "TICKETS_TOKEN"     # Environment variable with the token.
//   timeout = 60                         # Seconds of silence during one call.
//   transport = "sse"                    # As of 2024-11-05. Default: http, then sse.
//
// `parlance mcp add` stores further servers (stored_servers.h). A table replaces a stored server of the same name. The server
// `sqlite` belongs to parlance, for the databases of the setting `databases`. A table [mcp.sqlite] replaces this server. An address
// without a token gets an authorizer (oauth/authorization.h) with the login of `parlance mcp login`. Blocks; any thread.
#pragma once

#include <vector>

#include "apps/parlance/config/settings.h"
#include "parlance/oauth/authorization.h"
#include "parlance/toolbox/mcp/tools_via_mcp.h"

namespace parlance::app {

struct ConfiguredMcpServer {
  toolbox::McpServerSettings tools{};
  oauth::AuthorizationSettings login{};  // Without a url: the server needs no login, or has a token.
  bool is_stored = false;                // by `parlance mcp add`
  bool is_paused = false;
};

// All servers by name. Errors: invalid_params, with the file and the key.
Result<std::vector<ConfiguredMcpServer>> configured_mcp_servers(const Settings& settings);
// A server of `parlance mcp add`, with its login.
ConfiguredMcpServer stored_mcp_server(const std::string& name, const std::string& url, const std::string& state_folder);
std::vector<toolbox::McpServerSettings> tool_settings(const std::vector<ConfiguredMcpServer>& servers);
// The same for conversations, without paused servers.
Result<std::vector<toolbox::McpServerSettings>> mcp_servers(const Settings& settings);

}  // namespace parlance::app
