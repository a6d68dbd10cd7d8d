// SPDX-License-Identifier: Apache-2.0
// Requests of pages about the gateway's MCP servers. Loop thread only; the port must outlive the object, and the object its tasks.
#pragma once

#include <string>
#include <string_view>

#include "parlance/face/page/answered.h"
#include "parlance/face/page/mcp_port.h"
#include "parlance/hub/user_hub.h"

namespace parlance::face {

class PageMcpServers {
 public:
  explicit PageMcpServers(McpPort* port) : port_(port) {}  // null: the requests fail

  Answered<page::GetMcpServers> perform(page::GetMcpServers&, hub::UserHub& hub) {
    if (port_ == nullptr) co_return fail(Errc::unknown_method, std::string(no_servers));
    co_return port_->servers(hub.check(hub::Permission::administer).has_value());
  }
  Answered<page::ChangeMcpServer> perform(page::ChangeMcpServer& m, hub::UserHub&) {
    if (port_ == nullptr) co_return fail(Errc::unknown_method, std::string(no_servers));
    co_return co_await port_->change(m);  // A copy: the answer needs the id of the request.
  }

 private:
  static constexpr std::string_view no_servers = "this host has no MCP servers of its own";

  McpPort* port_;
};

}  // namespace parlance::face
