#include "parlance/driver/acp/presets.h"

#include <algorithm>
#include <array>

#include "parlance/base/text.h"

namespace parlance::driver {
namespace {

using acp::Flavour;

constexpr std::array presets{
    AcpPreset{"claude-acp", "Claude Agent (ACP)", "claude-agent-acp", "npm install -g @agentclientprotocol/claude-agent-acp"},
    AcpPreset{"gemini", "Gemini CLI", "gemini --experimental-acp",
              "npm install -g @google/gemini-cli, then sign in once with gemini"},
    AcpPreset{"qwen", "Qwen Code", "qwen --acp", "npm install -g @qwen-code/qwen-code, then sign in once with qwen"},
    AcpPreset{"opencode", "OpenCode", "opencode acp", "npm install -g opencode-ai, then opencode auth login"},
    AcpPreset{"codex-acp", "Codex (ACP)", "codex-acp", "npm install -g @agentclientprotocol/codex-acp"},
    AcpPreset{"copilot", "GitHub Copilot CLI", "copilot --acp", "npm install -g @github/copilot, then sign in once with copilot"},
    // Without --stream the whole answer comes in one piece.
    AcpPreset{"iflow", "iFlow", "iflow --experimental-acp --stream", "npm install -g @iflow-ai/iflow-cli", Flavour::iflow}};

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
  return made;
}

}  // namespace parlance::driver
