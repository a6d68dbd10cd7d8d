// SPDX-License-Identifier: Apache-2.0
// MCP servers of the gateway for its pages: states, changes, and logins. A change is stored, so that it holds after a restart. Loop
// thread only; the tools outlive the panel.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "apps/parlance/config/mcp_servers.h"
#include "apps/parlance/config/stored_servers.h"
#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/face/page/mcp_port.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/toolbox/mcp/tools_via_mcp.h"

namespace parlance::hub {
struct ServiceInfo;
}

namespace parlance::app {

class McpPanel final : public face::McpPort {
 public:
  // `notify` receives each state for the list of services.
  McpPanel(Loop& loop, std::string state_folder, toolbox::ToolsViaMcp& tools, std::vector<ConfiguredMcpServer> configured,
           std::function<void(hub::ServiceInfo)> notify);
  ~McpPanel() override;

  page::McpServersValue servers(bool with_log) override;
  Task<Result<page::McpChangedValue>> change(page::ChangeMcpServer wanted) override;

 private:
  struct Login {
    bool is_running = false;
    std::string page{};     // Empty: not known yet.
    std::string problem{};  // of the last login
  };
  Result<ConfiguredMcpServer*> known(const std::string& name);
  Result<void> add(const std::string& name, const std::string& url);
  Result<void> remove(const std::string& name);
  Result<void> pause(const std::string& name, bool paused);
  Result<void> log_out(const std::string& name);
  Task<Result<page::McpChangedValue>> log_in(std::string name);
  Task<void> run_login(std::string name, oauth::AuthorizationSettings settings);
  page::McpServerValue value_of(const toolbox::ToolsViaMcp::Health& health, bool with_log) const;
  std::string login_state(const std::string& name) const;

  Loop& loop_;
  std::string state_folder_;
  StoredMcpServers stored_;
  toolbox::ToolsViaMcp& tools_;
  std::function<void(hub::ServiceInfo)> notify_;
  std::map<std::string, ConfiguredMcpServer> configured_{};
  std::map<std::string, Login> logins_{};
  Signal changed_;
  Scope scope_;
};

}  // namespace parlance::app
