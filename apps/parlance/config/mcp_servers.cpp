// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/mcp_servers.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "apps/parlance/config/child_variables.h"
#include "parlance/base/text.h"

namespace parlance::app {
namespace {

bool is_server_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

// A string is a command line without quotes; a list is taken literally.
std::vector<std::string> words_of(const ConfigEntry& entry) {
  if (entry.values.size() != 1) return entry.values;
  std::vector<std::string> words;
  for (const std::string_view word : split(entry.value, ' '))
    if (!word.empty()) words.emplace_back(word);
  return words;
}

Result<void> apply(toolbox::McpServerSettings& server, std::string_view key, const ConfigEntry& entry) {
  if (key == "command") {
    server.command = words_of(entry);
  } else if (key == "url") {
    server.url = entry.value;
  } else if (key == "token_variable") {
    const char* token = std::getenv(entry.value.c_str());
    if (token == nullptr) return fail(Errc::invalid_params, "the environment has no " + entry.value);
    server.token = token;
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
    return fail(Errc::invalid_params, "a server has command, env, url, transport, token_variable and timeout");
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

}  // namespace

Result<std::vector<toolbox::McpServerSettings>> mcp_servers(const Settings& settings) {
  std::map<std::string, toolbox::McpServerSettings> servers;
  for (const ConfigFile& file : settings.files()) {
    for (const ConfigEntry& entry : file.entries) {
      if (!is_mcp(entry)) continue;
      const std::string_view rest = std::string_view(entry.key).substr(mcp_section.size());
      const std::size_t dash = rest.rfind('-');
      const std::string place = file.path + ": [mcp." + std::string(rest.substr(0, dash)) + "]";
      if (dash == std::string_view::npos || !is_server_name(rest.substr(0, dash)))
        return fail(Errc::invalid_params, file.path + ": a server is a table [mcp.NAME], its name letters, digits, - and _");
      toolbox::McpServerSettings& server = servers[std::string(rest.substr(0, dash))];
      server.name = rest.substr(0, dash);
      if (auto applied = apply(server, rest.substr(dash + 1), entry); !applied)
        return std::unexpected(std::move(applied).error().in(place + " " + std::string(rest.substr(dash + 1))));
    }
  }
  if (const std::string& databases = settings.text(databases_setting); !databases.empty() && !servers.contains("sqlite")) {
    PARLANCE_TRY(command, sqlite_command(databases));
    servers["sqlite"] = {.name = "sqlite", .command = std::move(command)};
  }
  std::vector<toolbox::McpServerSettings> all;
  for (auto& [name, server] : servers) {
    if (server.command.empty() == server.url.empty())
      return fail(Errc::invalid_params, "[mcp." + name + "]: either command or url");
    if (server.url.empty() && server.way != mcp::HttpWay::automatic)
      return fail(Errc::invalid_params, "[mcp." + name + "] transport: only allowed with a url");
    all.push_back(std::move(server));
  }
  return all;
}

}  // namespace parlance::app
