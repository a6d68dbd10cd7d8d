// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/acp/presets.h"

#include <algorithm>
#include <array>

#include "parlance/base/text.h"

namespace parlance::driver {
namespace {

using acp::Flavour;

// OpenCode asks for no permission by default. This permission overrides every configuration of OpenCode, so a folder cannot
// disable the requests. A folder's plugins and agents could disable them too, so OpenCode must not read the folder's
// configuration.
constexpr std::string_view opencode_permission =
    R"(OPENCODE_PERMISSION={"*":"ask","read":{"*":"allow","*.env":"ask","*.env.*":"ask"},"list":"allow","glob":"allow","grep":"allow",)"
    R"("external_directory":"ask","question":"allow","plan_enter":"allow","plan_exit":"allow","todowrite":"allow","todoread":"allow"})";

constexpr std::array presets{
    // In its planning mode a model decides about commands, and reads are unrestricted: this agent plans in its asking mode.
    AcpPreset{.id = "claude-acp",
              .name = "Claude Agent (ACP)",
              .command = "claude-agent-acp",
              .install = "npm install -g @agentclientprotocol/claude-agent-acp",
              .asks = "default"},
    // 0.61.0 reads a new file before its creation, and treats "not found" as a failure of the whole call.
    AcpPreset{.id = "gemini",
              .name = "Gemini CLI",
              .command = "gemini --experimental-acp",
              .install = "npm install -g @google/gemini-cli, then sign in once with gemini",
              .asks = "default",
              .plans = "plan"},
    AcpPreset{.id = "qwen",
              .name = "Qwen Code",
              .command = "qwen --acp",
              .install = "npm install -g @qwen-code/qwen-code, then sign in once with qwen",
              .asks = "default",
              .plans = "plan"},
    AcpPreset{.id = "opencode",
              .name = "OpenCode",
              .command = "opencode acp",
              .install = "npm install -g opencode-ai, then opencode auth login",
              .asks = "build",
              .plans = "plan",
              .environment = {opencode_permission, "OPENCODE_DISABLE_PROJECT_CONFIG=1"}},
    // `agent` lets a model decide, `workspace-write` changes files without a request. No planning mode exists.
    AcpPreset{
        .id = "codex-acp",
        .name = "Codex (ACP)",
        .command = "codex-acp",
        .install = "npm install -g @agentclientprotocol/codex-acp",
        .asks = "read-only",
        .limit = "Codex runs commands in its own read-only sandbox without a question. They can read every file of this account.",
        .environment = {"INITIAL_AGENT_MODE=read-only"}},
    AcpPreset{.id = "copilot",
              .name = "GitHub Copilot CLI",
              .command = "copilot --acp",
              .install = "npm install -g @github/copilot, then sign in once with copilot",
              .asks = "https://agentclientprotocol.com/protocol/session-modes#agent",
              .plans = "https://agentclientprotocol.com/protocol/session-modes#plan",
              .limit = "GitHub Copilot reads files in the system's folder for temporary files without a question.",
              .held_option = "allow_all=off"},
    // Without --stream the whole answer arrives at once.
    AcpPreset{.id = "iflow",
              .name = "iFlow",
              .command = "iflow --experimental-acp --stream",
              .install = "npm install -g @iflow-ai/iflow-cli",
              .flavour = Flavour::iflow,
              .asks_always = true}};

std::pair<std::string, std::string> name_and_value(std::string_view text) {
  const std::size_t at = text.find('=');
  return {std::string(text.substr(0, at)), std::string(text.substr(at + 1))};
}

}  // namespace

std::span<const AcpPreset> acp_presets() { return presets; }

const AcpPreset* find_acp_preset(std::string_view id) {
  const auto* const found = std::ranges::find(presets, id, &AcpPreset::id);
  return found == presets.end() ? nullptr : found;
}

AcpAgentSettings settings_of(const AcpPreset& preset) {
  AcpAgentSettings made{.id = std::string(preset.id), .name = std::string(preset.name)};
  for (const std::string_view word : split(preset.command, ' ')) made.command.emplace_back(word);
  made.flavour = preset.flavour;
  made.install = preset.install;
  made.modes = {.asks = std::string(preset.asks),
                .plans = std::string(preset.plans),
                .asks_always = preset.asks_always,
                .limit = std::string(preset.limit)};
  if (!preset.held_option.empty()) made.modes.held_options.push_back(name_and_value(preset.held_option));
  for (const std::string_view variable : preset.environment)
    if (!variable.empty()) made.environment.push_back(name_and_value(variable));
  return made;
}

}  // namespace parlance::driver
