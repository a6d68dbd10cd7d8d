// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/run/memory_server.h"

#include <memory>
#include <utility>

#include "apps/parlance/supervise/supervised.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/hub/hub.h"
#include "parlance/protocol/mcp/server.h"
#include "parlance/server/memory/memory_over_mcp.h"

namespace parlance::app {
namespace {

constexpr const char* server_name = "memory";

}  // namespace

std::string memory_server(const Settings& settings) {
  json::Array arguments{json::Value("memory"), json::Value("serve"), json::Value("--state=" + state_folder(settings))};
  if (!settings.text("embed-url").empty()) arguments.emplace_back("--embed-url=" + settings.text("embed-url"));
  json::Object server;
  server.set("command", own_program());
  server.set("args", std::move(arguments));
  json::Object servers;
  servers.set(server_name, std::move(server));
  json::Object config;
  config.set("mcpServers", std::move(servers));
  return json::to_text(json::Value(std::move(config)));
}

void serve_shared_memory(driver::ClaudeAgentSettings& claude, Loop& loop, agent::AgentBackend& agent, const hub::Hub& hub) {
  claude.launch.mcp_config.clear();
  const auto make = [&loop, &agent, &hub](const hub::SessionSetup& setup) {
    auto server = std::make_unique<mcp::Server>(
        loop, mcp::ServerSettings{.info = {.name = "parlance-memory", .version = PARLANCE_VERSION}});
    const auto of_guest = [&hub, id = setup.id] { return hub.may_be_of_guest(id); };
    server::serve_memory(*server,
                         server::memory_unless(of_guest, server::memory_of_agent(agent, setup.user.value_or(""), setup.id)));
    return std::make_unique<adapter::ClaudeOwnServer>(std::move(server));
  };
  claude.own_servers.push_back({.name = server_name, .make = make});
}

}  // namespace parlance::app
