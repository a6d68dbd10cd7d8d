// SPDX-License-Identifier: Apache-2.0
// MCP servers of the gateway: their states, and changes by an admin. Any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/protocol/page/values.h"
#include "parlance/wire/call.h"

namespace parlance::page {

struct McpServerValue {
  std::string name{};
  std::string state{};
  std::string address{};
  bool stored = false;
  std::vector<std::string> tools{};
  std::optional<std::string> problem{};
  std::string login{};
  std::optional<std::string> login_problem{};
  std::optional<std::vector<std::string>> log{};
  static constexpr auto wire = fields(
      field<&McpServerValue::name>("name", "Name of the server."),
      field<&McpServerValue::state>("state", "State of the connection: connected, connecting, failed or paused."),
      field<&McpServerValue::address>("address", "Address without its query, or the name of the program."),
      field<&McpServerValue::stored>("stored", "True: added on a page or by a command, and removable there."),
      field<&McpServerValue::tools>("tools", "Names of the tools as models see them."),
      field<&McpServerValue::problem>("problem", "Reason for the state failed, and left out tools. Absent: no problem."),
      field<&McpServerValue::login>("login", "Login at the server: none (not possible), missing, waiting or present."),
      field<&McpServerValue::login_problem>("login_problem", "Reason for the failure of the last login. Absent: no failure."),
      field<&McpServerValue::log>("log", "Last log lines, oldest first. Only for callers with the permission `administer`."));
};
struct McpServersValue {
  std::vector<McpServerValue> servers{};
  static constexpr auto wire = fields(field<&McpServersValue::servers>("servers", "All servers by name."));
};
struct GetMcpServers {
  static constexpr std::string_view tag = "mcp_servers";
  using Value = McpServersValue;
  std::string request{};
  static constexpr auto wire = fields(field<&GetMcpServers::request>("request", request_doc::request));
};

struct McpChangedValue {
  std::optional<std::string> login_page{};
  static constexpr auto wire =
      fields(field<&McpChangedValue::login_page>("login_page", "After login: the address for the person's browser."));
};
struct ChangeMcpServer {
  static constexpr std::string_view tag = "mcp_change";
  using Value = McpChangedValue;
  std::string request{};
  std::string action{};
  std::string name{};
  std::optional<std::string> url{};
  static constexpr auto wire =
      fields(field<&ChangeMcpServer::request>("request", request_doc::request),
             field<&ChangeMcpServer::action>("action", "The change: add, remove, pause, resume, restart, login or logout."),
             field<&ChangeMcpServer::name>("name", "Name of the server. For add: letters, digits, - and _."),
             field<&ChangeMcpServer::url>("url", "For add: the address of the server."));
};

}  // namespace parlance::page
