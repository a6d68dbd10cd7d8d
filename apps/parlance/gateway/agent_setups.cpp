// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/gateway/agent_setups.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <sys/stat.h>
#include <utility>

#include "parlance/driver/acp/presets.h"
#include "parlance/process/program_words.h"

namespace parlance::app {
namespace {

struct KnownSignIn {
  std::string_view id;
  std::string_view command;  // empty: works without a sign-in
  std::span<const std::string_view> files;
  std::span<const std::string_view> variables;
};

constexpr std::array<std::string_view, 1> claude_files{".claude/.credentials.json"};
constexpr std::array<std::string_view, 6> claude_variables{"ANTHROPIC_API_KEY",       "ANTHROPIC_AUTH_TOKEN",
                                                           "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK",
                                                           "CLAUDE_CODE_USE_VERTEX",  "CLAUDE_CODE_USE_FOUNDRY"};
constexpr std::array<std::string_view, 4> gemini_files{".gemini/oauth_creds.json", ".gemini/gemini-credentials.json",
                                                       ".gemini/google_accounts.json", ".gemini/.env"};
constexpr std::array<std::string_view, 4> gemini_variables{"GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI",
                                                           "GOOGLE_GENAI_USE_GCA"};
constexpr std::array<std::string_view, 1> codex_files{".codex/auth.json"};
constexpr std::array<std::string_view, 3> codex_variables{"OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_HOME"};
constexpr std::array<std::string_view, 2> copilot_files{".copilot/config.json", ".config/gh/hosts.yml"};
constexpr std::array<std::string_view, 3> copilot_variables{"COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"};
constexpr std::array<std::string_view, 2> qwen_files{".qwen/oauth_creds.json", ".qwen/.env"};
constexpr std::array<std::string_view, 2> qwen_variables{"OPENAI_API_KEY", "DASHSCOPE_API_KEY"};

// Best known first. OpenCode has models without an account.
constexpr std::array known{
    KnownSignIn{.id = "claude", .command = "claude", .files = claude_files, .variables = claude_variables},
    KnownSignIn{.id = "gemini", .command = "gemini", .files = gemini_files, .variables = gemini_variables},
    KnownSignIn{.id = "codex-acp", .command = "npx @openai/codex login", .files = codex_files, .variables = codex_variables},
    KnownSignIn{.id = "copilot", .command = "copilot", .files = copilot_files, .variables = copilot_variables},
    KnownSignIn{.id = "qwen", .command = "qwen", .files = qwen_files, .variables = qwen_variables},
    KnownSignIn{.id = "opencode", .command = {}, .files = {}, .variables = {}}};

bool is_signed_in(const KnownSignIn& agent, const SetupMachine& machine) {
  return std::ranges::any_of(agent.variables, machine.has_variable) ||
         std::ranges::any_of(agent.files, [&](std::string_view file) { return machine.has_file(std::string(file)); });
}

// The first instruction of a preset is a command; further ones follow a comma.
std::string install_command(std::string_view instructions) { return std::string(instructions.substr(0, instructions.find(','))); }

}  // namespace

SetupMachine this_machine(std::string home) {
  return {.has_program = [](std::string_view program) { return !find_program(std::string(program)).empty(); },
          .has_variable =
              [](std::string_view name) {
                const char* const value = std::getenv(std::string(name).c_str());
                return value != nullptr && *value != '\0';
              },
          .has_file =
              [home = std::move(home)](const std::string& path) {
                struct stat found{};
                return ::stat((home + "/" + path).c_str(), &found) == 0 && S_ISREG(found.st_mode) && found.st_size > 0;
              }};
}

std::vector<page::AgentSetup> agent_setups(const SetupMachine& machine, bool own_claude) {
  std::vector<page::AgentSetup> setups;
  for (const KnownSignIn& sign_in : known) {
    const bool is_claude = sign_in.id == "claude";
    if (is_claude && own_claude) continue;
    const driver::AcpPreset* const preset = driver::find_acp_preset(sign_in.id);
    const std::string_view line = is_claude ? "claude" : preset->command;
    page::AgentSetup setup{.id = std::string(sign_in.id),
                           .name = std::string(is_claude ? "Claude Code" : preset->name),
                           .installed = machine.has_program(line.substr(0, line.find(' ')))};
    if (setup.installed && (sign_in.command.empty() || is_signed_in(sign_in, machine))) continue;
    if (setup.installed) setup.command = sign_in.command;
    else setup.command = is_claude ? "npm install -g @anthropic-ai/claude-code" : install_command(preset->install);
    setups.push_back(std::move(setup));
  }
  return setups;
}

}  // namespace parlance::app
