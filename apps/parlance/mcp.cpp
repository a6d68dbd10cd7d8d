// SPDX-License-Identifier: Apache-2.0
// parlance mcp: the configured MCP servers, and the logins at them. Main thread.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>

#include "apps/parlance/commands.h"
#include "apps/parlance/config/check_settings.h"
#include "apps/parlance/config/mcp_servers.h"
#include "apps/parlance/config/stored_servers.h"
#include "apps/parlance/remote/gateway.h"
#include "apps/parlance/supervise/ready.h"
#include "parlance/async/loop.h"
#include "parlance/base/visible_text.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/oauth/authorization.h"
#include "parlance/oauth/login_file.h"
#include "parlance/protocol/page/mcp_messages.h"

namespace parlance::app {
namespace {

Result<ConfiguredMcpServer> server_named(const Settings& settings, const std::string& name) {
  PARLANCE_TRY(all, configured_mcp_servers(settings));
  for (ConfiguredMcpServer& server : all)
    if (server.tools.name == name) return std::move(server);
  return fail(Errc::invalid_params,
              "no MCP server has the name " + visible_line(name) + ". `parlance mcp list` prints the names");
}

// The server of a name that has a login.
Result<ConfiguredMcpServer> server_with_login(const Settings& settings, const std::string& name) {
  PARLANCE_TRY(server, server_named(settings, name));
  if (server.login.url.empty())
    return fail(Errc::invalid_params, name + (server.tools.url.empty() ? " is a program and needs no login"
                                                                       : " has a token from token_variable and needs no login"));
  return server;
}

const char* login_state(const ConfiguredMcpServer& server) {
  if (server.tools.url.empty()) return "program";
  if (server.login.url.empty()) return "token";
  const auto login = oauth::LoginFile(server.login.state_folder, server.login.url).load();
  if (!login) return "unreadable login";
  return *login && (*login)->access_token ? "logged in" : "no login";
}

int list(const Settings& settings, bool json) {
  auto all = configured_mcp_servers(settings);
  if (!all) return complain(all.error(), ExitCode::usage);
  json::Array values;
  for (const ConfiguredMcpServer& server : *all) {
    const std::string place = server.tools.url.empty() ? server.tools.command.front() : server.tools.url;
    const std::string state = server.is_paused ? "paused" : login_state(server);
    if (!json) std::printf("%-20s %-16s %s\n", server.tools.name.c_str(), state.c_str(), visible_line(place).c_str());
    json::Object value;
    value.set("name", server.tools.name);
    value.set("state", state);
    value.set(server.tools.url.empty() ? "command" : "url", place);
    value.set("stored", server.is_stored);
    values.push_back(std::move(value));
  }
  if (json) std::printf("%s\n", json::to_text(json::Value(std::move(values))).c_str());
  else if (values.empty()) std::puts("No MCP server is configured. `parlance mcp add NAME URL` adds one.");
  return ExitCode::done;
}

int login(const Settings& settings, const std::string& name, bool without_browser) {
  auto server = server_with_login(settings, name);
  if (!server) return complain(server.error(), ExitCode::usage);
  if (const auto kept = keep_state_folder(settings); !kept) return complain(kept.error());
  Loop loop;
  const bool has_desktop = environment_variable("DISPLAY") || environment_variable("WAYLAND_DISPLAY");
  server->login.open_page = [&](std::string url) -> Task<Result<void>> {
    std::fprintf(stderr, "Log in at this address, in a browser on this machine:\n%s\n", url.c_str());
    if (has_desktop && !without_browser) open_in_browser(url);
    co_return Result<void>{};
  };
  oauth::Authorization authorization(loop, server->login);
  const Result<void> done = loop.block_on(authorization.log_in());
  if (!done) return complain(done.error().in(name), done.error().code == Errc::denied ? ExitCode::refused : ExitCode::failed);
  std::printf("Logged in at %s. Running conversations use the login at their next connection, within a minute.\n", name.c_str());
  return ExitCode::done;
}

int logout(const Settings& settings, const std::string& name) {
  const auto server = server_with_login(settings, name);
  if (!server) return complain(server.error(), ExitCode::usage);
  const auto removed = oauth::LoginFile(server->login.state_folder, server->login.url).remove();
  if (!removed) return complain(removed.error());
  std::printf(*removed ? "The login at %s is deleted from this machine.\n" : "There was no login at %s.\n", name.c_str());
  return ExitCode::done;
}

int add(const Settings& settings, const std::string& name, const std::string& url) {
  if (const auto kept = keep_state_folder(settings); !kept) return complain(kept.error());
  const auto all = configured_mcp_servers(settings);
  if (!all) return complain(all.error(), ExitCode::usage);
  if (std::ranges::any_of(*all, [&](const auto& server) { return server.tools.name == name && !server.is_stored; }))
    return complain({.code = Errc::invalid_params, .message = "parlance.toml has a server " + name + ". Use another name"},
                    ExitCode::usage);
  if (const auto added = StoredMcpServers(state_folder(settings)).add(name, url); !added)
    return complain_of_use(added.error(), ExitCode::failed);
  std::printf("Added %s. A running gateway uses the server after its next start.\n", name.c_str());
  return ExitCode::done;
}

int remove(const Settings& settings, const std::string& name) {
  const auto server = server_named(settings, name);
  if (!server) return complain(server.error(), ExitCode::usage);
  if (!server->is_stored)
    return complain({.code = Errc::invalid_params, .message = name + " is a table of parlance.toml. Remove the table there"},
                    ExitCode::usage);
  if (const auto removed = StoredMcpServers(state_folder(settings)).remove(name); !removed) return complain(removed.error());
  const auto login = oauth::LoginFile(server->login.state_folder, server->login.url).remove();
  if (!login) return complain(login.error());
  std::printf("Removed %s.\n", name.c_str());
  return ExitCode::done;
}

struct McpFlags {
  std::string name;
  std::string url;
  bool json = false;
  bool without_browser = false;
  GatewayFlags gateway;
};

int pause(const Settings& settings, const McpFlags& flags, bool paused) {
  if (const auto server = server_named(settings, flags.name); !server) return complain(server.error(), ExitCode::usage);
  if (const auto kept = keep_state_folder(settings); !kept) return complain(kept.error());
  if (const auto done = StoredMcpServers(state_folder(settings)).pause(flags.name, paused); !done) return complain(done.error());
  std::printf("%s %s. A running gateway uses the change after its next start.\n", paused ? "Paused" : "Resumed",
              flags.name.c_str());
  return ExitCode::done;
}

// ---- at a gateway

int list_at(const Settings& settings, const McpFlags& flags) {
  const auto value = request_at(settings, flags.gateway, page::GetMcpServers{});
  if (!value) return complain(value.error());
  if (flags.json) {
    std::printf("%s\n", visible_json(json::to_text(*value)).c_str());
    return ExitCode::done;
  }
  for (const page::McpServerValue& server : value->servers) {
    const std::string login = server.login == "none" ? "" : ", login " + server.login;
    std::printf("%-20s %-24s %s\n", visible_line(server.name).c_str(), visible_line(server.state + login).c_str(),
                visible_line(server.address).c_str());
    if (server.problem) std::printf("  %s\n", visible_line(*server.problem).c_str());
  }
  if (value->servers.empty()) std::puts("The gateway has no MCP server. `parlance mcp add NAME URL` with --to adds one.");
  return ExitCode::done;
}

int change_at(const Settings& settings, const McpFlags& flags, const char* action) {
  page::ChangeMcpServer message{.action = action, .name = flags.name};
  if (!flags.url.empty()) message.url = flags.url;
  const auto done = request_at(settings, flags.gateway, std::move(message));
  if (!done) return complain(done.error());
  if (done->login_page)
    std::printf("Log in at this address, in a browser on the machine of the gateway:\n%s\n",
                visible_line(*done->login_page).c_str());
  else std::printf("Done at the gateway: %s %s.\n", action, flags.name.c_str());
  return ExitCode::done;
}

std::shared_ptr<McpFlags> flags_of(CLI::App& app, bool with_name = true) {
  auto flags = std::make_shared<McpFlags>();
  if (with_name) app.add_option("name", flags->name, "Name of the server, as `parlance mcp list` prints it.")->required();
  declare_gateway_flags(app, flags->gateway, false);
  return flags;
}

// `here`: the same without a gateway.
Action change_of(std::shared_ptr<McpFlags> flags, const char* action, std::function<int(const Settings&, const McpFlags&)> here) {
  return [flags = std::move(flags), action, here = std::move(here)](const Settings& settings, const Words&) {
    return flags->gateway.wanted() ? change_at(settings, *flags, action) : here(settings, *flags);
  };
}

}  // namespace

Action declare_mcp_list(CLI::App& app) {
  auto flags = flags_of(app, false);
  app.add_flag("--json", flags->json, "For programs: one JSON document.");
  return [flags](const Settings& settings, const Words&) {
    return flags->gateway.wanted() ? list_at(settings, *flags) : list(settings, flags->json);
  };
}

Action declare_mcp_login(CLI::App& app) {
  auto flags = flags_of(app);
  app.add_flag("--no-browser", flags->without_browser, "Print the address only.");
  return change_of(flags, "login", [](const Settings& settings, const McpFlags& given) {
    return login(settings, given.name, given.without_browser);
  });
}

Action declare_mcp_logout(CLI::App& app) {
  return change_of(flags_of(app), "logout",
                   [](const Settings& settings, const McpFlags& given) { return logout(settings, given.name); });
}

Action declare_mcp_add(CLI::App& app) {
  auto flags = flags_of(app);
  app.add_option("url", flags->url, "Address of the server.")->required();
  return change_of(flags, "add",
                   [](const Settings& settings, const McpFlags& given) { return add(settings, given.name, given.url); });
}

Action declare_mcp_remove(CLI::App& app) {
  return change_of(flags_of(app), "remove",
                   [](const Settings& settings, const McpFlags& given) { return remove(settings, given.name); });
}

Action declare_mcp_pause(CLI::App& app) {
  return change_of(flags_of(app), "pause",
                   [](const Settings& settings, const McpFlags& given) { return pause(settings, given, true); });
}

Action declare_mcp_resume(CLI::App& app) {
  return change_of(flags_of(app), "resume",
                   [](const Settings& settings, const McpFlags& given) { return pause(settings, given, false); });
}

Action declare_mcp_restart(CLI::App& app) {
  return change_of(flags_of(app), "restart", [](const Settings&, const McpFlags&) {
    return complain({.code = Errc::invalid_params, .message = "only a gateway restarts a server: name the gateway with --to"},
                    ExitCode::usage);
  });
}

}  // namespace parlance::app
