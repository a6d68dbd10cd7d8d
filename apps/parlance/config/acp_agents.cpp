// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/acp_agents.h"

#include <algorithm>
#include <cstdlib>

#include "apps/parlance/config/child_variables.h"
#include "apps/parlance/config/gateway_token.h"
#include "parlance/base/text.h"
#include "parlance/driver/acp/presets.h"
#include "parlance/process/program_words.h"

namespace parlance::app {
namespace {

Result<bool> on_or_off(const ConfigEntry& entry) {
  if (entry.value == "on" || entry.value == "true") return true;
  if (entry.value == "off" || entry.value == "false") return false;
  return fail(Errc::invalid_params, "\"" + entry.value + "\" is neither on nor off");
}

Result<void> apply(driver::AcpAgentSettings& agent, std::string_view key, const ConfigEntry& entry) {
  if (key == "name") {
    agent.name = entry.value;
  } else if (key == "command") {
    agent.command = entry.values.size() == 1 ? split_words(entry.value) : entry.values;
    agent.url.clear();
  } else if (key == "url") {
    agent.url = entry.value;
    agent.command.clear();
  } else if (key == "token_variable") {
    const char* token = std::getenv(entry.value.c_str());
    if (token == nullptr) return fail(Errc::invalid_params, "the environment has no " + entry.value);
    agent.token = token;
  } else if (key == "env") {
    PARLANCE_TRY(variables, child_variables(entry));
    // Variables of a preset make the agent ask, and stay unless the person names them.
    std::erase_if(agent.environment, [&](const auto& old) {
      return std::ranges::any_of(variables, [&](const auto& given) { return given.first == old.first; });
    });
    agent.environment.insert(agent.environment.end(), variables.begin(), variables.end());
  } else if (key == "token_file") {
    PARLANCE_TRY(token, read_token_file(entry.value));
    agent.token = std::move(token);
  } else if (key == "dialect") {
    if (entry.value != "iflow" && entry.value != "standard")
      return fail(Errc::invalid_params, "\"" + entry.value + "\" is no dialect: there are standard and iflow");
    agent.flavour = entry.value == "iflow" ? acp::Flavour::iflow : acp::Flavour::standard;
  } else if (key == "sign_in") {
    agent.sign_in = acp::Authenticate{.method_id = entry.value};
  } else if (key == "files") {
    PARLANCE_TRY(on, on_or_off(entry));
    agent.files = on;
  } else if (key == "asks") {
    if (entry.value != "always" && entry.value != "by_mode")
      return fail(Errc::invalid_params, "\"" + entry.value + "\" is unknown: set \"always\" or \"by_mode\"");
    agent.modes.asks_always = entry.value == "always";
  } else if (key == "terminals") {
    PARLANCE_TRY(on, on_or_off(entry));
    agent.terminals = on;
  } else {
    return fail(Errc::invalid_params,
                "an agent has name, command, env, url, token_variable, token_file, dialect, sign_in, asks, files and terminals");
  }
  return {};
}

}  // namespace

adapter::Language language_of_locale() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return adapter::language_of(value);
  return adapter::Language::english;
}

namespace {

constexpr std::size_t longest_timeout_ms = 86'400'000;  // a day: a larger number would not fit into a clock

Result<std::size_t> number(const Settings& settings, std::string_view name, std::size_t least, std::size_t most = SIZE_MAX) {
  const auto value = parse_number<std::size_t>(settings.text(name));
  if (!value || *value < least || *value > most)
    return fail(Errc::invalid_params, "--" + std::string(name) + ": \"" + settings.text(name) + "\" is no number of " +
                                          std::string(spec_of(name).value_name) + "; give " + std::to_string(least) +
                                          (most == SIZE_MAX ? " or more" : " to " + std::to_string(most)));
  return *value;
}

// The address of a running iFlow. iflow_agent.h starts the program otherwise.
Result<void> apply_iflow(driver::AcpAgentSettings& agent, const Settings& settings) {
  PARLANCE_TRY(port, number(settings, "iflow-port", 0));
  if (port > 0) agent.running = "ws://localhost:" + std::to_string(port) + "/acp";
  return {};
}

}  // namespace

Result<std::vector<ConfiguredAgent>> acp_agents(const Settings& settings) {
  PARLANCE_TRY(timeout, number(settings, "agent-timeout", 1, longest_timeout_ms));
  PARLANCE_TRY(file_bytes, number(settings, "prompt-file-bytes", 1));
  std::vector<ConfiguredAgent> agents;
  for (const driver::AcpPreset& preset : driver::acp_presets()) agents.push_back({.settings = driver::settings_of(preset)});
  for (const ConfigFile& file : settings.files()) {
    for (const ConfigEntry& entry : file.entries) {
      if (!entry.key.starts_with(agents_section)) continue;
      const std::string_view rest = std::string_view(entry.key).substr(agents_section.size());
      const std::size_t dash = rest.rfind('-');
      if (dash == std::string_view::npos || dash == 0)
        return fail(Errc::invalid_params, file.path + ": an agent is a table [agents.NAME]");
      const std::string id(rest.substr(0, dash));
      auto agent = std::ranges::find(agents, id, [](const ConfiguredAgent& configured) { return configured.settings.id; });
      if (agent == agents.end()) agent = agents.insert(agents.end(), {.settings = {.id = id, .name = id}});
      agent->named = true;
      if (auto applied = apply(agent->settings, rest.substr(dash + 1), entry); !applied)
        return std::unexpected(
            std::move(applied).error().in(file.path + ": [agents." + id + "] " + std::string(rest.substr(dash + 1))));
    }
  }
  for (ConfiguredAgent& agent : agents) {
    if (agent.settings.command.empty() && agent.settings.url.empty())
      return fail(Errc::invalid_params, "[agents." + agent.settings.id + "] needs a command or a url");
    agent.settings.language = language_of_locale();
    agent.settings.timeout = std::chrono::milliseconds(timeout);
    agent.settings.prompt_file_bytes = file_bytes;
    if (agent.settings.id == "iflow") PARLANCE_TRY_DO(apply_iflow(agent.settings, settings));
  }
  return agents;
}

}  // namespace parlance::app
