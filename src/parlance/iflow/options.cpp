// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/options.h"

#include <filesystem>

#include "parlance/codec/json/value.h"
#include "parlance/iflow/errors.h"

namespace parlance::iflow {
namespace {

using json::Object;

json::Array list(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

template <class T>
void set_if_any(Object& object, const char* name, const std::optional<T>& value) {
  if (value) object.set(name, *value);
}

acp::Raw raw(json::Array array) { return array.empty() ? acp::Raw{} : acp::Raw{json::to_text(json::Value(std::move(array)))}; }

Object hook(const HookConfig& config) {
  json::Array commands;
  for (const HookCommand& command : config.hooks) {
    Object object;
    object.set("type", "command");
    object.set("command", command.command);
    set_if_any(object, "timeout", command.timeout_s);
    commands.emplace_back(std::move(object));
  }
  Object out;
  set_if_any(out, "matcher", config.matcher);
  out.set("hooks", std::move(commands));
  return out;
}

Result<void> wrong(std::string message) { return fail(make_error(ErrorKind::validation, std::move(message))); }

}  // namespace

acp::Raw hooks_json(const HookConfigs& hooks) {
  if (hooks.empty()) return {};
  Object out;
  for (const auto& [event, configs] : hooks) {
    json::Array list;
    for (const HookConfig& config : configs) list.emplace_back(hook(config));
    out.set(std::string(wire::name_of(event)), std::move(list));
  }
  return {json::to_text(json::Value(std::move(out)))};
}

acp::Raw commands_json(const std::vector<CommandConfig>& commands) {
  json::Array out;
  for (const CommandConfig& command : commands) {
    Object object;
    object.set("name", command.name);
    object.set("content", command.content);
    out.emplace_back(std::move(object));
  }
  return raw(std::move(out));
}

acp::Raw agents_json(const std::vector<SubAgentConfig>& agents) {
  json::Array out;
  for (const SubAgentConfig& agent : agents) {
    Object object;
    object.set("agentType", agent.agent_type);
    object.set("whenToUse", agent.when_to_use);
    object.set("allowedTools", list(agent.allowed_tools));
    object.set("systemPrompt", agent.system_prompt);
    set_if_any(object, "name", agent.name);
    set_if_any(object, "description", agent.description);
    if (agent.allowed_mcps) object.set("allowedMcps", list(*agent.allowed_mcps));
    set_if_any(object, "proactive", agent.proactive);
    set_if_any(object, "location", agent.location);
    set_if_any(object, "model", agent.model);
    set_if_any(object, "isInheritTools", agent.inherits_tools);
    set_if_any(object, "isInheritMcps", agent.inherits_mcps);
    out.emplace_back(std::move(object));
  }
  return raw(std::move(out));
}

Result<void> check(const Options& options) {
  if (!options.transport && !options.url.starts_with("ws://") && !options.url.starts_with("wss://"))
    return wrong("url: \"" + options.url + "\" is no address of a WebSocket: ws://localhost:8090/acp is one");
  if (options.timeout.count() <= 0) return wrong("timeout: it must be more than 0 ms");
  if (options.file_max_size == 0) return wrong("file_max_size: it must be more than 0 bytes");
  if (options.process_start_port == 0) return wrong("process_start_port: it must be 1 to 65535");
  return {};
}

std::string folder_of(const Options& options) {
  std::error_code failed;
  const std::filesystem::path folder =
      std::filesystem::absolute(options.cwd.empty() ? "." : options.cwd, failed).lexically_normal();
  std::string out = folder.string();
  while (out.size() > 1 && out.ends_with('/')) out.pop_back();
  return out;
}

}  // namespace parlance::iflow
