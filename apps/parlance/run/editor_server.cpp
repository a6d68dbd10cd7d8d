// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/run/editor_server.h"

#include <algorithm>

#include "apps/parlance/config/mcp_servers.h"

namespace parlance::app {
namespace {

bool has_server(const std::vector<toolbox::McpServerSettings>& servers, std::string_view name) {
  return std::ranges::find(servers, name, &toolbox::McpServerSettings::name) != servers.end();
}

}  // namespace

// Sets the environment explicitly, because agents pass few variables to their servers.
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
  if (!has_server(configured, server.name) && !has_server(home.client_servers, server.name))
    home.client_servers.push_back(std::move(server));
  return {};
}

Result<void> offer_near_editor(const Settings& settings, AgentHome& home) {
  PARLANCE_TRY(window, driver::announced_window());
  return window ? offer_editor(settings, *window, home) : Result<void>{};
}

Result<std::vector<toolbox::McpServerSettings>> with_near_editor(std::vector<toolbox::McpServerSettings> configured) {
  PARLANCE_TRY(window, driver::announced_window());
  if (!window) return configured;
  toolbox::McpServerSettings server = editor_server(*window);
  if (!has_server(configured, server.name)) configured.push_back(std::move(server));
  return configured;
}

}  // namespace parlance::app
