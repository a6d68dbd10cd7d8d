// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/serve_claude/host_flags.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "apps/parlance/config/mcp_servers.h"
#include "parlance/adapter/claude/tools.h"
#include "parlance/base/log.h"
#include "parlance/base/text.h"
#include "parlance/face/claude/claude_only.h"
#include "parlance/protocol/claude/host.h"
#include "parlance/toolbox/claude_tool_names.h"

namespace parlance::app {
namespace {

using Names = std::set<std::string, std::less<>>;

// Flags that serve-claude supports with every agent.
const Names kept{"--print",
                 "--verbose",
                 "--debug",
                 "--input-format",
                 "--output-format",
                 "--permission-prompt-tool",
                 "--include-partial-messages",
                 "--replay-user-messages",
                 "--permission-mode",
                 "--allow-dangerously-skip-permissions",
                 "--dangerously-skip-permissions",
                 "--model",
                 "--max-turns",
                 "--max-thinking-tokens",
                 "--thinking",
                 "--system-prompt",
                 "--append-system-prompt",
                 "--mcp-config",
                 "--resume",
                 "--continue",
                 "--fork-session",
                 "--session-id",
                 "--resume-session-at",
                 "--await-initialize",
                 "--initialize-fields"};

// Flags that the built-in agent supports too. A Claude Code as the agent supports these and all its other flags itself.
const Names kept_by_ours{"--allowedTools",      "--disallowedTools", "--tools",
                         "--add-dir",           "--effort",          "--json-schema",
                         "--strict-mcp-config", "--max-budget-usd",  "--no-session-persistence"};

void offer_tools(const claude::Flags& flags, toolbox::BuiltinTools& tools) {
  std::vector<std::string> wanted;
  std::string unknown;
  const std::vector<hub::ToolSpec> there = tools.list();
  for (const std::string& name : tools_of(flags, "--tools")) {
    if (name == "default") return;
    wanted.push_back(toolbox::own_tool(name));
    if (std::ranges::find(there, wanted.back(), &hub::ToolSpec::name) == there.end())
      unknown += (unknown.empty() ? "" : ", ") + name;
  }
  if (!unknown.empty()) log(LogLevel::warn, "--tools: this agent has no such tools", {{"tools", unknown}});
  tools.offer_only(wanted);
}

Result<void> add_folders(const claude::Flags& flags, toolbox::BuiltinTools& tools, hub::PromptOptions& options) {
  std::string folder_lines;
  for (const std::string& named : flags.all("--add-dir")) {
    std::error_code missing;
    const std::filesystem::path folder = std::filesystem::canonical(named, missing);
    if (missing || !std::filesystem::is_directory(folder))
      return fail(Errc::not_found, "--add-dir: " + named + " is not a folder; name an existing folder, or omit the flag");
    tools.add_folder(folder.string());
    folder_lines += "\n" + folder.string();
  }
  if (!folder_lines.empty()) options.add_to_system("Additional working folders, by absolute path:" + folder_lines);
  return {};
}

}  // namespace

std::vector<std::string> tools_of(const claude::Flags& flags, std::string_view flag) {
  std::vector<std::string> names;
  for (const std::string& value : flags.all(flag))
    for (std::string& name : claude::tool_names(value)) names.push_back(std::move(name));
  return names;
}

Result<hub::PromptOptions> options_of(const claude::Flags& flags) {
  hub::PromptOptions options;
  if (const std::string most = flags.text("--max-turns"); !most.empty()) {
    const auto number = parse_number<std::uint32_t>(most);
    if (!number || *number == 0) return fail(Errc::invalid_params, "--max-turns: \"" + most + "\" is no number of turns");
    options.most_rounds = number;
  }
  if (flags.has("--system-prompt")) options.system = flags.text("--system-prompt");
  if (flags.has("--append-system-prompt")) options.append_system = flags.text("--append-system-prompt");
  return options;
}

Result<adapter::ClaudeMcpConfig> servers_of(const claude::Flags& flags) {
  std::string all;
  for (const std::string& config : flags.all("--mcp-config")) {
    PARLANCE_TRY(read, adapter::read_claude_mcp_config(config));
    all = adapter::joined_mcp_config(all, read.json);
  }
  if (all.empty()) return adapter::ClaudeMcpConfig{};
  return adapter::read_claude_mcp_config(all);
}

Result<std::string> permission_mode_of(const claude::Flags& flags) {
  std::string mode = flags.has("--dangerously-skip-permissions") ? "bypassPermissions" : "";
  if (flags.has("--permission-mode")) mode = flags.text("--permission-mode");
  if (mode == "manual") mode = "default";  // the spelling of newer versions, on the command line only
  if (mode == "auto") return fail(face::no_auto_mode());
  if (!mode.empty() && !claude::is_permission_mode(mode))
    return fail(Errc::invalid_params, "--permission-mode: no such mode: " + mode);
  return mode;
}

bool may_bypass(const claude::Flags& flags) {
  return flags.has("--allow-dangerously-skip-permissions") || flags.has("--dangerously-skip-permissions") ||
         flags.text("--permission-mode") == "bypassPermissions";
}

Result<void> add_configured(const Settings& settings, const claude::Flags& flags, const adapter::ClaudeMcpConfig& of_host,
                            toolbox::ToolsViaMcp& tools) {
  if (flags.has("--strict-mcp-config")) return {};  // only the servers of the host
  PARLANCE_TRY(servers, mcp_servers(settings));
  for (toolbox::McpServerSettings& server : servers) {
    const bool taken =
        std::ranges::find(of_host.started, server.name, &toolbox::McpServerSettings::name) != of_host.started.end() ||
        std::ranges::find(of_host.of_host, server.name) != of_host.of_host.end();
    if (taken) continue;
    server.prefix = adapter::claude_tool_prefix(server.name);
    tools.add(std::move(server));
  }
  return {};
}

void pass_on(const claude::Flags& flags, adapter::ClaudeRelay& relay) {
  for (const claude::Flag& flag : flags.list())
    if (!kept.contains(flag.name))
      for (std::string& word : claude::words_of(flag)) relay.flags.push_back(std::move(word));
}

Result<void> keep_schema(const claude::Flags& flags, toolbox::StructuredOutput* output) {
  if (flags.has("--json-schema")) {
    if (output == nullptr) return fail(face::no_structured_output("--json-schema"));
    PARLANCE_TRY_DO(output->set_schema(flags.text("--json-schema"), "--json-schema"));
  }
  const char* const most = std::getenv("MAX_STRUCTURED_OUTPUT_RETRIES");  // as for Claude Code
  if (output == nullptr || most == nullptr || *most == '\0') return {};
  const auto number = parse_number<std::uint32_t>(most);
  if (!number || *number == 0)
    return fail(Errc::invalid_params, "MAX_STRUCTURED_OUTPUT_RETRIES: \"" + std::string(most) + "\" is no number of tries");
  output->set_most_tries(*number);
  return {};
}

void name_unkept(const claude::Flags& flags) {
  static const Names by_face{"--allowedTools", "--disallowedTools", "--effort", "--strict-mcp-config",
                             "--no-session-persistence"};
  static const Names by_agent{"--system-prompt", "--append-system-prompt", "--max-turns", "--mcp-config"};
  std::string unkept;
  for (const claude::Flag& flag : flags.list())
    if (by_agent.contains(flag.name) || (!kept.contains(flag.name) && !by_face.contains(flag.name)))
      unkept += (unkept.empty() ? "" : " ") + flag.name;
  if (!unkept.empty()) log(LogLevel::warn, "flags without effect on agents of a gateway", {{"flags", unkept}});
}

Result<void> keep_by_ours(const claude::Flags& flags, toolbox::BuiltinTools& tools, hub::PromptOptions& options) {
  if (flags.has("--tools")) offer_tools(flags, tools);
  PARLANCE_TRY_DO(add_folders(flags, tools, options));
  if (flags.has("--max-budget-usd"))
    log(LogLevel::warn,
        "--max-budget-usd: this agent knows no prices, so the budget ends no turn; Claude Code supports it "
        "(--serve-agent claude)");
  std::string unkept;
  for (const claude::Flag& flag : flags.list()) {
    if (kept.contains(flag.name) || kept_by_ours.contains(flag.name)) continue;
    if (flag.name == "--setting-sources" && flag.values == std::vector<std::string>{""})
      continue;  // serve-claude reads no setting sources
    unkept += (unkept.empty() ? "" : " ") + flag.name;
  }
  if (!unkept.empty())
    log(LogLevel::warn, "flags that this agent does not support; Claude Code does (--serve-agent claude)", {{"flags", unkept}});
  return {};
}

std::function<void(const std::string&)> add_folder_to(toolbox::BuiltinTools& tools) {
  return [&tools](const std::string& named) {
    std::error_code missing;
    const std::filesystem::path folder = std::filesystem::canonical(named, missing);
    if (!missing && std::filesystem::is_directory(folder, missing)) tools.add_folder(folder.string());
  };
}

}  // namespace parlance::app
