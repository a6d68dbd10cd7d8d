// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/run/make_agent.h"

#include <algorithm>
#include <filesystem>
#include <sys/un.h>
#include <unistd.h>

#include "apps/parlance/config/acp_agents.h"
#include "apps/parlance/config/iflow_agent.h"
#include "apps/parlance/config/mcp_servers.h"
#include "apps/parlance/config/service_secrets.h"
#include "apps/parlance/config/trusting_agent.h"
#include "apps/parlance/run/memory_server.h"
#include "apps/parlance/supervise/supervised.h"
#include "parlance/adapter/claude/mcp_servers.h"
#include "parlance/base/secret.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"
#include "parlance/driver/acp/agent_via_acp.h"
#include "parlance/driver/gorpc/agent_via_gorpc.h"
#include "parlance/hub/conversation/agent_info.h"
#include "parlance/toolbox/command_runner.h"

namespace parlance::app {
namespace {

// The settings with or without an installed program.
Result<driver::ClaudeAgentSettings> claude_as_named(const Settings& settings) {
  driver::ClaudeAgentSettings claude;
  claude.launch.command = split_words(settings.text("claude-command"));
  if (claude.launch.command.empty())
    return fail(Errc::invalid_params, "claude-command is empty: give the command of Claude Code, or remove the setting");
  claude.launch.mcp_config = memory_server(settings);
  PARLANCE_TRY(servers, mcp_servers(settings));
  claude.mcp_servers = [servers = std::move(servers)] { return adapter::claude_mcp_config(servers); };
  if (const std::string& hooks = settings.text("claude-hooks"); !hooks.empty()) {
    PARLANCE_TRY(read, driver::read_claude_hooks(hooks));
    claude.hooks = std::move(read);
  }
  return claude;
}

}  // namespace

Result<driver::ClaudeAgentSettings> claude_settings(const Settings& settings) {
  PARLANCE_TRY(claude, claude_as_named(settings));
  const std::string& program = claude.launch.command.front();
  if (find_program(program).empty()) return fail(driver::no_claude(program));
  return claude;
}

Result<void> complete_own_agent(const Settings& settings, toolbox::ToolsViaMcp& servers, driver::GorpcAgentSettings& agent) {
  const auto rounds = parse_number<std::uint32_t>(settings.text("tool-rounds"));
  if (!rounds || *rounds == 0)
    return fail(Errc::invalid_params, "--tool-rounds: \"" + settings.text("tool-rounds") +
                                          "\" is no number of rounds; give 1 or more, for example 100");
  agent.tool_rounds = *rounds;
  agent.absent_servers = [&servers] {
    std::vector<driver::AbsentServer> absent;
    for (const toolbox::ToolsViaMcp::Health& server : servers.health())
      if (server.state != toolbox::ToolsViaMcp::Health::State::connected)
        absent.push_back({.name = server.name, .reason = server.problem, .starting = server.waited_for});
    return absent;
  };
  agent.servers_settle = [&servers] { return servers.settled(); };
  agent.tool_problems = [&servers] { return servers.problems(); };
  return {};
}

namespace {

using MadeAgent = Result<std::unique_ptr<hub::AgentProvider>>;

// The servers of the configuration and of a client; for equal names, the client's server wins.
Result<std::vector<toolbox::McpServerSettings>> servers_for(const Settings& settings, const AgentHome& home) {
  PARLANCE_TRY(servers, mcp_servers(settings));
  std::erase_if(servers, [&home](const toolbox::McpServerSettings& server) {
    return std::ranges::find(home.client_servers, server.name, &toolbox::McpServerSettings::name) != home.client_servers.end();
  });
  servers.insert(servers.end(), home.client_servers.begin(), home.client_servers.end());
  return servers;
}

MadeAgent make_claude(Loop& loop, const Settings& settings, const std::vector<std::string>& command, AgentHome& home) {
  driver::ClaudeAgentSettings claude;
  if (command.empty()) {
    PARLANCE_TRY(from_settings, home.relay ? claude_as_named(settings) : claude_settings(settings));
    claude = std::move(from_settings);
  } else {
    Settings own = settings;
    own.set("claude-command", {command.front(), "command line"});
    PARLANCE_TRY(from_settings, claude_settings(own));
    claude = std::move(from_settings);
    claude.launch.command = command;
  }
  claude.relay = home.relay.get();
  if (!home.client_servers.empty()) {
    PARLANCE_TRY(servers, servers_for(settings, home));
    claude.mcp_servers = [servers = std::move(servers)] { return adapter::claude_mcp_config(servers); };
  }
  // A host with its own Claude Code chooses its settings too (--setting-sources) and is responsible for the folder.
  if (home.relay) return driver::agent_via_claude(loop, std::move(claude));
  return in_trusted_folders(driver::agent_via_claude(loop, std::move(claude)), state_folder(settings));
}

// The last line of stderr has the reason.
Task<void> report_end(ChildProcess& child, driver::AgentLink& link) {
  const ExitStatus end = co_await child.wait();
  std::string_view reason = trim(end.stderr_tail);
  reason = reason.substr(reason.find_last_of('\n') + 1);
  if (const auto name = reason.find(": "); reason.starts_with("parlance") && name != reason.npos) reason.remove_prefix(name + 2);
  link.agent_ended({.code = Errc::failed,
                    .message = reason.empty() ? "the agent's program has ended: " + end.describe()
                                              : "the agent's program has ended: " + std::string(reason)});
}

// A private agent at a separate socket, so that another `parlance agent` stays undisturbed.
Result<void> start_own_agent(Loop& loop, const Settings& settings, AgentHome& home) {
  std::error_code none;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(none);
  if (none) return fail(Errc::failed, "there is no folder for temporary files: set TMPDIR to an existing folder");
  const std::string socket = (folder / (make_id("parlance-") + ".sock")).string();
  if (socket.size() >= sizeof(sockaddr_un{}.sun_path))
    return fail(Errc::failed, socket + " is too long for the name of a socket: set TMPDIR to a folder with a shorter one");
  // The agent finds defaults and the stored connection itself, and follows changes of the latter.
  std::vector<std::string> words{own_program(), "agent", "--agent-socket=" + socket, "--log-level=" + settings.text("log-level")};
  for (const char* setting : {"model", "model-url", "model-name", "model-key-file", "scenario", "rehearsal-pace-ms", "state"})
    if (!settings.text(setting).empty() && settings[setting].origin != default_origin && !is_stored_connection(settings[setting]))
      words.push_back("--" + std::string(setting) + "=" + settings.text(setting));
  PARLANCE_TRY(child, ChildProcess::start(loop, {.command = std::move(words),
                                                 .set = {{supervised_variable, "1"}},
                                                 .passed = agent_secrets(state_folder(settings))}));
  home.process = std::move(child);
  home.socket = std::shared_ptr<void>(nullptr, [socket](void*) { ::unlink(socket.c_str()); });
  home.link = std::make_unique<driver::AgentLink>(loop, socket, [](driver::AgentLink::State, const std::string&) {});
  home.link->keep_connected();
  home.watching = std::make_unique<Scope>(loop);
  home.watching->start(report_end(*home.process, *home.link));
  return {};
}

MadeAgent make_own(Loop& loop, const Settings& settings, AgentHome& home) {
  PARLANCE_TRY_DO(start_own_agent(loop, settings, home));
  home.commands = toolbox::command_runner(loop);
  home.memory = std::make_unique<driver::BackendViaGorpc>(*home.link, std::vector<std::string>{});
  home.tools = std::make_unique<toolbox::BuiltinTools>(loop, *home.commands, home.memory.get());
  home.output = std::make_unique<toolbox::StructuredOutput>(*home.tools);
  home.mcp_tools = std::make_unique<toolbox::ToolsViaMcp>(loop, *home.output, std::vector<toolbox::McpServerSettings>{});
  hub::Tools* tools = home.mcp_tools.get();
  if (home.port) tools = (home.named = std::make_unique<toolbox::ClaudeNamedTools>(*home.mcp_tools)).get();
  driver::GorpcAgentSettings agent{.scripted = settings.text("model") == "rehearsal", .hooks = home.port.get()};
  PARLANCE_TRY_DO(complete_own_agent(settings, *home.mcp_tools, agent));
  return driver::agent_via_gorpc(loop, *home.link, *tools, std::move(agent));
}

// A program or an address after `--`, or the configured agent of the name.
MadeAgent make_acp(Loop& loop, const Settings& settings, const std::string& name, const std::vector<std::string>& command,
                   const AgentHome& home) {
  PARLANCE_TRY(known, acp_agents(settings));
  driver::AcpAgentSettings agent{.id = name, .name = name};
  std::string names = "claude, parlance, acp";
  bool found = name == "acp";
  for (ConfiguredAgent& configured_agent : known) {
    names += ", " + configured_agent.settings.id;
    if (configured_agent.settings.id != name) continue;
    agent = std::move(configured_agent.settings);
    found = true;
  }
  if (!found)
    return fail(Errc::invalid_params,
                "no such agent: \"" + name + "\"; there are " + names + ". To send this word: parlance run parlance " + name);
  const bool is_address = command.size() == 1 && acp::is_agent_address(command.front());
  if (is_address) agent.url = command.front();
  else if (!command.empty()) agent.command = command;
  if (agent.command.empty() && agent.url.empty())
    return fail(Errc::invalid_params, "the agent " + name +
                                          " has no command and no address: give one, with parlance chat acp -- COMMAND, "
                                          "parlance chat acp ws://…, or parlance run acp 'PROMPT' -- COMMAND");
  PARLANCE_TRY_DO(complete_iflow(loop, settings, agent));
  if (agent.url.empty() && !agent.find && find_program(agent.command.front()).empty()) return fail(driver::no_acp_agent(agent));
  agent.version = PARLANCE_VERSION;
  PARLANCE_TRY(servers, servers_for(settings, home));
  agent.mcp_servers = [servers = std::move(servers)] { return servers; };
  const bool is_here = agent.url.empty();  // an agent at an address has started already
  auto made = driver::agent_via_acp(loop, std::move(agent));
  return is_here ? in_trusted_folders(std::move(made), state_folder(settings)) : std::move(made);
}

}  // namespace

std::string default_agent(const Settings& settings) {
  const std::string& chosen = settings.text("default-agent");
  return chosen.empty() ? "parlance" : chosen;
}

Result<std::unique_ptr<hub::AgentProvider>> make_agent(Loop& loop, const Settings& settings, const std::string& name,
                                                       const std::vector<std::string>& command, AgentHome& home) {
  if (name == "claude") return make_claude(loop, settings, command, home);
  if (name == "parlance") return make_own(loop, settings, home);
  return make_acp(loop, settings, name, command, home);
}

}  // namespace parlance::app
