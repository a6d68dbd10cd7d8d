#include "apps/parlance/run/editor_server.h"

#include <algorithm>

#include "apps/parlance/config/mcp_servers.h"

namespace parlance::app {

// The environment is said: agents give the servers that they start as little of their own as they can.
toolbox::McpServerSettings editor_server(const driver::WindowAddress& window) {
  toolbox::McpServerSettings server{.name = "editor",
                                    .command = {own_program(), "editor", "tools"},
                                    .environment = {{"PARLANCE_EDITOR_SOCKET", window.socket}}};
  if (!window.token.empty()) server.environment.emplace_back("PARLANCE_EDITOR_TOKEN", window.token);
  return server;
}

Result<void> offer_editor(const Settings& settings, const driver::WindowAddress& window, AgentHome& home) {
  PARLANCE_TRY(configured, mcp_servers(settings));
  toolbox::McpServerSettings server = editor_server(window);
  if (std::ranges::find(configured, server.name, &toolbox::McpServerSettings::name) == configured.end())
    home.client_servers.push_back(std::move(server));
  return {};
}

}  // namespace parlance::app
