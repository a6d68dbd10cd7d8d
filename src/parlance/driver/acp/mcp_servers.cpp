// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/mcp_servers.h"

namespace parlance::driver {
namespace {

std::vector<acp::NameValue> named(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<acp::NameValue> all;
  for (const auto& [name, value] : pairs) all.push_back({.name = name, .value = value});
  return all;
}

acp::McpServer program(const toolbox::McpServerSettings& server) {
  return {.name = server.name,
          .command = server.command.front(),
          .args = std::vector<std::string>(server.command.begin() + 1, server.command.end()),
          .env = named(server.environment)};
}

acp::McpServer address(const toolbox::McpServerSettings& server, bool by_events) {
  acp::McpServer made{
      .type = by_events ? "sse" : "http", .name = server.name, .url = server.url, .headers = named(server.headers)};
  if (!server.token.empty()) made.headers->push_back({.name = "Authorization", .value = "Bearer " + server.token});
  return made;
}

}  // namespace

std::vector<acp::McpServer> acp_mcp_servers(const std::vector<toolbox::McpServerSettings>& servers,
                                            const std::optional<acp::McpCapabilities>& can, std::vector<std::string>& left_out) {
  std::vector<acp::McpServer> all;
  for (const toolbox::McpServerSettings& server : servers) {
    const bool by_events = server.way == mcp::HttpWay::sse;
    if (!server.command.empty()) all.push_back(program(server));
    else if (!server.url.empty() && can && (by_events ? can->sse : can->http)) all.push_back(address(server, by_events));
    else left_out.push_back(server.name);
  }
  return all;
}

}  // namespace parlance::driver
