// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/mcp/mcp_panel.h"

#include <algorithm>
#include <utility>

#include "parlance/base/visible_text.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/hub/conversation/session_setup.h"
#include "parlance/oauth/address.h"
#include "parlance/oauth/login_file.h"

namespace parlance::app {
namespace {

using State = toolbox::ToolsViaMcp::Health::State;

// Without the query, which may hold a key.
std::string shown_address(const toolbox::McpServerSettings& server) {
  if (server.url.empty()) return server.command.empty() ? "" : visible_line(server.command.front());
  const auto address = oauth::parse_address(server.url);
  return address ? address->origin() + address->path : "";
}

const char* state_of(const toolbox::ToolsViaMcp::Health& health) {
  switch (health.state) {
    case State::connecting: return "connecting";
    case State::connected: return "connected";
    case State::failed: return "failed";
    case State::paused: return "paused";
  }
  return "failed";
}

std::optional<std::string> filled(std::string text) { return text.empty() ? std::nullopt : std::optional(std::move(text)); }

}  // namespace

McpPanel::McpPanel(Loop& loop, std::string state_folder, toolbox::ToolsViaMcp& tools, std::vector<ConfiguredMcpServer> configured,
                   std::function<void(hub::ServiceInfo)> notify)
    : loop_(loop),
      state_folder_(std::move(state_folder)),
      stored_(state_folder_),
      tools_(tools),
      notify_(std::move(notify)),
      changed_(loop),
      scope_(loop) {
  tools_.on_change = [this](const toolbox::ToolsViaMcp::Health& server) {
    notify_({.name = "mcp " + server.name,
             .state = server.state == State::connected || server.state == State::paused ? hub::Health::ready : hub::Health::down,
             .detail = server.detail()});
  };
  for (ConfiguredMcpServer& server : configured) {
    const std::string name = server.tools.name;
    if (server.is_paused) tools_.pause(name, true);
    configured_.emplace(name, std::move(server));
  }
}

McpPanel::~McpPanel() { tools_.on_change = {}; }

// ---- the list

std::string McpPanel::login_state(const std::string& name) const {
  const auto server = configured_.find(name);
  if (server == configured_.end() || server->second.login.url.empty()) return "none";
  if (const auto login = logins_.find(name); login != logins_.end() && login->second.is_running) return "waiting";
  const auto stored = oauth::LoginFile(state_folder_, server->second.login.url).load();
  return stored && *stored && (*stored)->access_token ? "present" : "missing";
}

page::McpServerValue McpPanel::value_of(const toolbox::ToolsViaMcp::Health& health, bool with_log) const {
  auto details = tools_.details(health.name);
  const auto server = configured_.find(health.name);
  const bool is_known = server != configured_.end();
  page::McpServerValue value{.name = health.name,
                             .state = state_of(health),
                             .address = is_known ? shown_address(server->second.tools) : "",
                             .stored = is_known && server->second.is_stored,
                             .tools = std::move(details.tools),
                             .problem = filled(health.state == State::connected ? health.left_out
                                               : health.state == State::paused  ? ""
                                                                                : health.problem),
                             .login = login_state(health.name)};
  if (const auto login = logins_.find(health.name); login != logins_.end()) value.login_problem = filled(login->second.problem);
  if (with_log) value.log = std::move(details.log);
  return value;
}

page::McpServersValue McpPanel::servers(bool with_log) {
  page::McpServersValue all;
  for (const auto& health : tools_.health()) all.servers.push_back(value_of(health, with_log));
  std::ranges::sort(all.servers, {}, &page::McpServerValue::name);
  return all;
}

// ---- changes

Result<ConfiguredMcpServer*> McpPanel::known(const std::string& name) {
  const auto found = configured_.find(name);
  if (found == configured_.end()) return fail(Errc::not_found, "no configured MCP server has the name " + visible_line(name));
  return &found->second;
}

Result<void> McpPanel::add(const std::string& name, const std::string& url) {
  if (std::ranges::any_of(tools_.health(), [&](const auto& server) { return server.name == name; }))
    return fail(Errc::invalid_params, "an MCP server " + visible_line(name) + " exists already. Use another name");
  PARLANCE_TRY_DO(stored_.add(name, url));
  ConfiguredMcpServer server = stored_mcp_server(name, url, state_folder_);
  tools_.add(server.tools);
  configured_.insert_or_assign(name, std::move(server));
  return {};
}

Result<void> McpPanel::remove(const std::string& name) {
  PARLANCE_TRY(server, known(name));
  if (!server->is_stored) return fail(Errc::invalid_params, name + " is a table of parlance.toml. Remove the table there");
  PARLANCE_TRY_DO(stored_.remove(name));
  PARLANCE_TRY_DO(oauth::LoginFile(state_folder_, server->login.url).remove());
  tools_.remove(name);
  configured_.erase(name);
  logins_.erase(name);
  notify_({.name = "mcp " + name, .state = hub::Health::ready, .detail = "removed"});
  return {};
}

Result<void> McpPanel::pause(const std::string& name, bool paused) {
  PARLANCE_TRY_DO(known(name));
  PARLANCE_TRY_DO(stored_.pause(name, paused));
  tools_.pause(name, paused);
  return {};
}

Result<void> McpPanel::log_out(const std::string& name) {
  PARLANCE_TRY(server, known(name));
  if (server->login.url.empty()) return fail(Errc::invalid_params, name + " has no login");
  PARLANCE_TRY_DO(oauth::LoginFile(state_folder_, server->login.url).remove());
  tools_.restart(name);
  return {};
}

Task<void> McpPanel::run_login(std::string name, oauth::AuthorizationSettings settings) {
  settings.open_page = [this, name](std::string page) -> Task<Result<void>> {
    logins_[name].page = std::move(page);
    changed_.notify_all();
    co_return Result<void>{};
  };
  oauth::Authorization authorization(loop_, std::move(settings));
  const Result<void> done = co_await authorization.log_in();
  if (const auto login = logins_.find(name); login != logins_.end())
    login->second = {.problem = done ? "" : done.error().message};
  changed_.notify_all();
  if (done) tools_.restart(name);
}

Task<Result<page::McpChangedValue>> McpPanel::log_in(std::string name) {
  PARLANCE_CO_TRY(server, known(name));
  if (server->login.url.empty()) co_return fail(Errc::invalid_params, name + " needs no login");
  if (!logins_[name].is_running) {
    logins_[name] = {.is_running = true};
    scope_.start(run_login(name, server->login));
  }
  const auto login = [&]() -> Login {
    return logins_.contains(name) ? logins_[name] : Login{.problem = "the server was removed"};
  };
  while (login().is_running && login().page.empty()) co_await changed_.wait();
  if (!login().is_running) co_return fail(Errc::failed, login().problem);
  co_return page::McpChangedValue{.login_page = login().page};
}

Task<Result<page::McpChangedValue>> McpPanel::change(page::ChangeMcpServer wanted) {
  if (wanted.action == "login") co_return co_await log_in(wanted.name);
  Result<void> done;
  if (wanted.action == "add") done = add(wanted.name, wanted.url.value_or(""));
  else if (wanted.action == "remove") done = remove(wanted.name);
  else if (wanted.action == "pause") done = pause(wanted.name, true);
  else if (wanted.action == "resume") done = pause(wanted.name, false);
  else if (wanted.action == "logout") done = log_out(wanted.name);
  else if (wanted.action != "restart") done = fail(Errc::invalid_params, "$.action: unknown value");
  else if (!tools_.restart(wanted.name)) done = fail(Errc::not_found, "no MCP server has the name " + visible_line(wanted.name));
  if (!done) co_return std::unexpected(std::move(done).error());
  co_return page::McpChangedValue{};
}

}  // namespace parlance::app
