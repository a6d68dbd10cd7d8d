// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/claude/launch.h"

#include <cstdlib>
#include <unistd.h>

#include "parlance/protocol/claude/limits.h"

namespace parlance::claude {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ",") + word;
  return text;
}

// Claude Code accepts no other value of the variable.
bool in_sandbox() {
  const char* const value = std::getenv("IS_SANDBOX");
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace

std::vector<std::string> command_line(const Launch& launch) {
  std::vector<std::string> words = launch.command;
  const auto flag = [&](std::string_view name, const std::string& value) {
    if (value.empty()) return;
    words.emplace_back(name);
    words.push_back(value);
  };
  // Without --verbose and the output format, Claude Code exits with 1. With text input, every question fails ("Stream closed").
  for (const char* word :
       {"--output-format", "stream-json", "--verbose", "--input-format", "stream-json", "--permission-prompt-tool", "stdio"})
    words.emplace_back(word);
  if (launch.partial_messages) words.emplace_back("--include-partial-messages");
  if (launch.replay_user_messages) words.emplace_back("--replay-user-messages");
  flag("--permission-mode", launch.mode);
  // As root, Claude Code refuses a bypass flag unless IS_SANDBOX declares a sandbox.
  if (launch.allow_bypass && (::geteuid() != 0 || in_sandbox())) words.emplace_back("--allow-dangerously-skip-permissions");
  flag("--model", launch.model);
  if (launch.max_turns) flag("--max-turns", std::to_string(*launch.max_turns));
  flag("--resume", launch.resume);
  flag("--resume-session-at", launch.resume_at);
  if (launch.fork_session) words.emplace_back("--fork-session");
  flag("--session-id", launch.session_id);
  flag("--allowedTools", joined(launch.allowed_tools));
  flag("--disallowedTools", joined(launch.disallowed_tools));
  flag("--mcp-config", launch.mcp_config);
  flag("--settings", launch.settings);
  flag("--setting-sources", joined(launch.setting_sources));
  for (const std::string& folder : launch.add_folders) flag("--add-dir", folder);
  words.insert(words.end(), launch.more.begin(), launch.more.end());
  return words;
}

ChildSettings child_settings(const Launch& launch, const std::string& mark) {
  ChildSettings settings{.command = command_line(launch), .folder = launch.folder, .folder_links = launch.folder_links};
  // Some versions refuse to start inside another one, and its switches are not ours.
  settings.unset = {"CLAUDECODE", "CLAUDE_CODE_*", "CLAUDE_AGENT_SDK_*"};
  settings.withheld = Withheld::own_secrets;
  settings.set = {{"CLAUDE_CODE_ENTRYPOINT", "sdk-cpp"}, {"DISABLE_AUTOUPDATER", "1"}, {"NPM_CONFIG_LOGLEVEL", "error"}};
  if (!mark.empty()) settings.set.emplace_back(mark_variable, mark);
  for (const auto& variable : launch.environment) settings.set.push_back(variable);
  settings.eof_grace = limits::claude_eof_grace;
  settings.term_grace = limits::claude_term_grace;
  return settings;
}

}  // namespace parlance::claude
