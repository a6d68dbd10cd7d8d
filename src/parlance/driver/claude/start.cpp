// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/claude/start.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "parlance/adapter/claude/mcp_servers.h"
#include "parlance/adapter/claude/tools.h"
#include "parlance/codec/json/typed.h"
#include "parlance/codec/json/value.h"
#include "parlance/transport/whole_file.h"

namespace parlance::driver {
namespace {

constexpr std::string_view strict_servers = "--strict-mcp-config";

// The servers of Claude Code: those of the settings, unless the host is strict, and those of the host.
void add_servers(claude::Launch& launch, const ClaudeAgentSettings& settings) {
  const adapter::ClaudeRelay* const relay = settings.relay;
  const bool strict = relay != nullptr && std::ranges::find(relay->flags, strict_servers) != relay->flags.end();
  if (settings.mcp_servers && !strict) launch.mcp_config = adapter::joined_mcp_config(launch.mcp_config, settings.mcp_servers());
  if (relay != nullptr) launch.mcp_config = adapter::joined_mcp_config(launch.mcp_config, relay->mcp_config);
}

// Own servers with unused names.
void add_own_servers(ClaudeStart& start, const ClaudeAgentSettings& settings, const hub::SessionSetup& setup) {
  json::Object servers;
  const auto named = adapter::read_claude_mcp_config(start.launch.mcp_config);
  for (const ClaudeOwnServerSettings& own_server : settings.own_servers) {
    if (named && named->has(own_server.name)) continue;
    start.own_servers[own_server.name] = own_server.make(setup);
    json::Object server;
    server.set("type", "sdk");
    server.set("name", own_server.name);
    servers.set(own_server.name, std::move(server));
  }
  if (servers.members.empty()) return;
  json::Object config;
  config.set("mcpServers", std::move(servers));
  start.launch.mcp_config = adapter::joined_mcp_config(json::to_text(json::Value(std::move(config))), start.launch.mcp_config);
}

constexpr std::string_view settings_flag = "--settings=";  // the form of protocol/claude/flags
constexpr std::string_view hooks_off = "disableAllHooks";

// Removes the flag from the host's words and returns its value; empty: absent.
std::string take_settings(std::vector<std::string>& words) {
  const auto word = std::ranges::find_if(words, [](const std::string& argument) { return argument.starts_with(settings_flag); });
  if (word == words.end()) return "";
  std::string value = word->substr(settings_flag.size());
  words.erase(word);
  return value;
}

// A settings file, even of a folder, can disable all hooks and thus the gate (2.0.76 obeys the file). The command line takes
// precedence.
std::string with_hooks(const std::string& ours, std::vector<std::string>& words_of_host) {
  std::string settings_text = take_settings(words_of_host);
  if (settings_text.empty()) settings_text = ours;
  if (!settings_text.empty() && !settings_text.starts_with('{'))
    settings_text = read_whole_file(settings_text).value_or(settings_text);
  json::Value settings = settings_text.empty() ? json::Value(json::Object{}) : json::parse_or_null(settings_text);
  if (settings.object() == nullptr) return settings_text;  // Claude Code reports the fault
  settings.object()->set(std::string(hooks_off), false);
  return json::to_text(settings);
}

}  // namespace

std::string claude_home(const claude::Launch& launch) {
  for (const auto& [name, value] : launch.environment)
    if (name == "HOME") return value;
  const char* const home = std::getenv("HOME");
  return home != nullptr ? home : "";
}

Result<ClaudeStart> claude_start(const ClaudeAgentSettings& settings, const hub::SessionSetup& setup,
                                 const hub::AgentSession& session, const hub::PromptOptions& options) {
  ClaudeStart start{.launch = settings.launch};
  claude::Launch& launch = start.launch;
  launch.folder = setup.folder;
  launch.folder_links = FolderLinks::refused;  // The path is resolved; a link in it appeared later.
  launch.model = setup.model == "default" ? "" : setup.model;
  launch.resume = session.id;
  launch.fork_session = session.how == hub::AgentSession::How::fork;
  launch.add_folders.insert(launch.add_folders.end(), setup.folders.begin(), setup.folders.end());
  add_servers(launch, settings);
  add_own_servers(start, settings, setup);
  if (const adapter::ClaudeRelay* const relay = settings.relay) {
    if (!launch.resume.empty()) launch.resume_at = relay->resume_at;
    launch.more.insert(launch.more.end(), relay->flags.begin(), relay->flags.end());
  }
  if (!launch.mcp_config.empty()) {  // the value contains tokens, and command lines are visible to every user of the machine
    PARLANCE_TRY(file, PrivateFile::make("parlance-mcp-", launch.mcp_config));
    launch.mcp_config = file->path();
    start.mcp_config = std::move(file);
  }
  if (options.most_rounds) launch.max_turns = static_cast<int>(*options.most_rounds);
  // No turn could publish later events: 2.1.329 continues sub-agents after a turn unless this variable is set.
  launch.environment.emplace_back("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1");
  launch.allow_bypass = false;  // the hub's mode `yolo` replaces it
  // always set: settings files may name another mode (permissions.defaultMode)
  launch.mode = adapter::claude_run_mode(setup.mode);
  launch.settings = with_hooks(launch.settings, launch.more);
  return start;
}

wire::Raw claude_initialize(const ClaudeAgentSettings& settings, const ClaudeHooks& hooks, const hub::PromptOptions& options,
                            const adapter::ClaudeOwnServers& own) {
  const adapter::ClaudeRelay* const relay = settings.relay;
  claude::Initialize what;
  // A list, like the SDK; version 2.0.76 accepted a text. An empty text: only the indispensable instructions of Claude Code.
  if (options.system) what.system_prompt.json = "[" + json::to_text(json::Value(*options.system)) + "]";
  what.append_system_prompt = options.append_system;
  // Each prompt of the hub has its own instructions, but 2.1.329 would keep those of the first. A host decides for itself.
  if (relay == nullptr && (options.system || options.append_system)) what.system_prompt_snapshot = false;
  for (const auto& server : own) {
    if (!what.sdk_mcp_servers) what.sdk_mcp_servers.emplace();
    what.sdk_mcp_servers->push_back(server.first);
  }
  hooks.offer(what);
  std::string ours = json::to_text(what);
  if (relay == nullptr || relay->initialize.json.empty()) return {std::move(ours)};
  return {json::to_text(adapter::joined(json::parse_or_null(relay->initialize.json), json::parse_or_null(ours)))};
}

}  // namespace parlance::driver
