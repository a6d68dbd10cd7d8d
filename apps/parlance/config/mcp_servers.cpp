// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/mcp_servers.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "apps/parlance/config/child_variables.h"
#include "apps/parlance/config/stored_servers.h"
#include "parlance/base/text.h"
#include "parlance/transport/private_file.h"
#include "parlance/transport/tls/p256_key.h"

namespace parlance::app {
namespace {

constexpr std::size_t longest_key = 64 << 10;  // bytes; a PEM file has some hundred
using Servers = std::map<std::string, ConfiguredMcpServer>;

// A string is a command line without quotes; a list is taken literally.
std::vector<std::string> words_of(const ConfigEntry& entry) {
  if (entry.values.size() != 1) return entry.values;
  std::vector<std::string> words;
  for (const std::string_view word : split(entry.value, ' '))
    if (!word.empty()) words.emplace_back(word);
  return words;
}

Result<std::string> variable(const ConfigEntry& entry) {
  const char* const value = std::getenv(entry.value.c_str());
  if (value == nullptr) return fail(Errc::invalid_params, "the environment has no " + entry.value);
  return value;
}

// Keys of the login. False: another key.
Result<bool> apply_login(oauth::AuthorizationSettings& login, std::string_view key, const ConfigEntry& entry) {
  if (key == "client_id") {
    login.client_id = entry.value;
  } else if (key == "client_secret_variable") {
    PARLANCE_TRY(secret, variable(entry));
    login.client_secret = std::move(secret);
  } else if (key == "client_key_file") {
    auto text = read_private_file(entry.value, longest_key);
    if (!text) return fail(Errc::invalid_params, text.error().message);
    if (!*text) return fail(Errc::invalid_params, "there is no file " + entry.value);
    PARLANCE_TRY_DO(P256Key::from_pem(**text));
    login.client_key = **std::move(text);
  } else if (key == "workload_token_file") {
    login.workload_file = entry.value;
  } else if (key == "scope") {
    login.scope = entry.value;
  } else if (key == "login_port") {
    const auto port = parse_number<std::uint16_t>(entry.value);
    if (!port || *port == 0) return fail(Errc::invalid_params, "\"" + entry.value + "\" is no port");
    login.redirect_port = *port;
  } else if (key == "grant") {
    if (entry.value != "client_credentials" && entry.value != "authorization_code")
      return fail(Errc::invalid_params, "\"" + entry.value + "\" is unknown: use authorization_code or client_credentials");
    login.is_service = entry.value == "client_credentials";
  } else {
    return false;
  }
  return true;
}

Result<void> apply(toolbox::McpServerSettings& server, std::string_view key, const ConfigEntry& entry) {
  if (key == "command") {
    server.command = words_of(entry);
  } else if (key == "url") {
    server.url = entry.value;
  } else if (key == "token_variable") {
    PARLANCE_TRY(token, variable(entry));
    server.token = std::move(token);
  } else if (key == "env") {
    PARLANCE_TRY(variables, child_variables(entry));
    server.environment = std::move(variables);
  } else if (key == "transport") {
    if (entry.value == "http") server.way = mcp::HttpWay::streamable;
    else if (entry.value == "sse") server.way = mcp::HttpWay::sse;
    else
      return fail(Errc::invalid_params,
                  "\"" + entry.value + "\" is an unknown transport: use http or sse; without a value, both are tried");
  } else if (key == "timeout") {
    const auto seconds = parse_number<std::uint32_t>(entry.value);
    if (!seconds || *seconds == 0) return fail(Errc::invalid_params, "\"" + entry.value + "\" is no number of seconds");
    server.call_time = std::chrono::seconds(*seconds);
  } else {
    return fail(Errc::invalid_params,
                "a server has command, env, url, transport, token_variable, timeout, client_id, client_secret_variable, "
                "client_key_file, workload_token_file, scope, login_port and grant");
  }
  return {};
}

// Our own server for the databases of --databases. The server opens no file outside these folders.
Result<std::vector<std::string>> sqlite_command(const std::string& databases) {
  std::vector<std::string> command{own_program(), "sqlite", "--mcp"};
  std::set<std::string> folders;
  for (const std::string_view path : split(databases, ':')) {
    if (path.empty()) continue;
    std::error_code error;
    const auto file = std::filesystem::absolute(path, error).lexically_normal();
    if (error || !std::filesystem::is_directory(file.parent_path(), error))
      return fail(Errc::invalid_params, "databases: no such folder: " + file.parent_path().string());
    command.insert(command.end(), {"--db", file.string()});
    folders.insert(file.parent_path().string());
  }
  for (const std::string& folder : folders) command.insert(command.end(), {"--allowed-dir", folder});
  return command;
}

Result<void> read_tables(const ConfigFile& file, Servers& servers) {
  for (const ConfigEntry& entry : file.entries) {
    if (!is_mcp(entry)) continue;
    const std::string_view rest = std::string_view(entry.key).substr(mcp_section.size());
    const std::size_t dash = rest.rfind('-');
    const std::string name(rest.substr(0, dash));
    if (dash == std::string_view::npos || !is_mcp_server_name(name))
      return fail(Errc::invalid_params, file.path + ": a server is a table [mcp.NAME], its name letters, digits, - and _");
    const std::string_view key = rest.substr(dash + 1);
    const std::string place = file.path + ": [mcp." + name + "] " + std::string(key);
    if (servers[name].is_stored) servers[name] = {};
    ConfiguredMcpServer& server = servers[name];
    server.tools.name = name;
    const Result<bool> login = apply_login(server.login, key, entry);
    if (!login) return fail(login.error().in(place));
    if (*login) continue;
    if (const auto applied = apply(server.tools, key, entry); !applied) return fail(applied.error().in(place));
  }
  return {};
}

// Connects the login of a server at an address without a token.
void offer_login(ConfiguredMcpServer& server, const std::string& folder) {
  if (server.tools.url.empty() || !server.tools.token.empty()) return;
  server.login.url = server.tools.url;
  server.login.state_folder = folder;
  server.login.hint = "Run `parlance mcp login " + server.tools.name + "`";
  server.tools.authorizer = [login = server.login](Loop& loop) -> std::shared_ptr<HttpAuthorizer> {
    return std::make_shared<oauth::Authorization>(loop, login);
  };
}

Result<void> check(const ConfiguredMcpServer& server) {
  const std::string place = "[mcp." + server.tools.name + "]";
  if (server.tools.command.empty() == server.tools.url.empty())
    return fail(Errc::invalid_params, place + ": either command or url");
  if (server.tools.url.empty() && server.tools.way != mcp::HttpWay::automatic)
    return fail(Errc::invalid_params, place + " transport: only allowed with a url");
  const oauth::AuthorizationSettings& login = server.login;
  const bool has_key = !login.client_secret.empty() || !login.client_key.empty() || !login.workload_file.empty();
  if (login.is_service && (login.client_id.empty() || !has_key))
    return fail(
        Errc::invalid_params,
        place + " grant: client_credentials needs client_id with client_secret_variable, client_key_file or workload_token_file");
  return {};
}

}  // namespace

ConfiguredMcpServer stored_mcp_server(const std::string& name, const std::string& url, const std::string& state_folder) {
  ConfiguredMcpServer server{.tools = {.name = name, .url = url}, .is_stored = true};
  offer_login(server, state_folder);
  return server;
}

Result<std::vector<ConfiguredMcpServer>> configured_mcp_servers(const Settings& settings) {
  const std::string folder = state_folder(settings);
  PARLANCE_TRY(stored, StoredMcpServers(folder).load());
  Servers servers;
  for (const StoredMcpServer& stored_mcp_server : stored)
    if (!stored_mcp_server.url.empty())
      servers[stored_mcp_server.name] = {.tools = {.name = stored_mcp_server.name, .url = stored_mcp_server.url},
                                         .is_stored = true};
  for (const ConfigFile& file : settings.files()) PARLANCE_TRY_DO(read_tables(file, servers));
  if (const std::string& databases = settings.text(databases_setting); !databases.empty() && !servers.contains("sqlite")) {
    PARLANCE_TRY(command, sqlite_command(databases));
    servers["sqlite"] = {.tools = {.name = "sqlite", .command = std::move(command)}};
  }
  std::vector<ConfiguredMcpServer> all;
  for (auto& [name, server] : servers) {
    PARLANCE_TRY_DO(check(server));
    offer_login(server, folder);
    server.is_paused = std::ranges::any_of(stored, [&name](const StoredMcpServer& stored_mcp_server) {
      return stored_mcp_server.name == name && stored_mcp_server.paused.value_or(false);
    });
    all.push_back(std::move(server));
  }
  return all;
}

std::vector<toolbox::McpServerSettings> tool_settings(const std::vector<ConfiguredMcpServer>& servers) {
  std::vector<toolbox::McpServerSettings> all;
  for (const ConfiguredMcpServer& server : servers) all.push_back(server.tools);
  return all;
}

Result<std::vector<toolbox::McpServerSettings>> mcp_servers(const Settings& settings) {
  PARLANCE_TRY(configured, configured_mcp_servers(settings));
  std::erase_if(configured, [](const ConfiguredMcpServer& server) { return server.is_paused; });
  return tool_settings(configured);
}

}  // namespace parlance::app
