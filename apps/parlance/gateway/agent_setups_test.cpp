// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/gateway/agent_setups.h"

#include <set>

#include <gtest/gtest.h>

namespace parlance::app {
namespace {

struct Machine {
  std::set<std::string, std::less<>> programs{};
  std::set<std::string, std::less<>> variables{};
  std::set<std::string, std::less<>> files{};
  std::string setups(bool own_claude = false) const {
    std::string all;
    for (const page::AgentSetup& agent_setup :
         agent_setups({.has_program = [this](std::string_view name) { return programs.contains(name); },
                       .has_variable = [this](std::string_view name) { return variables.contains(name); },
                       .has_file = [this](const std::string& path) { return files.contains(path); }},
                      own_claude))
      all += agent_setup.id + (agent_setup.installed ? "+ " : "- ") + agent_setup.command + "\n";
    return all;
  }
};

TEST(AgentSetups, AMissingProgramComesWithItsInstallation) {
  EXPECT_EQ(Machine{}.setups(),
            "claude- npm install -g @anthropic-ai/claude-code\n"
            "gemini- npm install -g @google/gemini-cli\n"
            "codex-acp- npm install -g @agentclientprotocol/codex-acp\n"
            "copilot- npm install -g @github/copilot\n"
            "qwen- npm install -g @qwen-code/qwen-code\n"
            "opencode- npm install -g opencode-ai\n");
}

TEST(AgentSetups, AnInstalledAgentWithoutASignInComesWithTheCommandForIt) {
  const Machine machine{.programs = {"qwen", "claude", "opencode", "gemini", "copilot"}, .files = {".gemini/oauth_creds.json"}};
  EXPECT_EQ(machine.setups(),
            "claude+ claude\n"
            "codex-acp- npm install -g @agentclientprotocol/codex-acp\n"
            "copilot+ copilot\n"
            "qwen+ qwen\n");
}

TEST(AgentSetups, AFileOrAVariableCountsAsASignIn) {
  Machine machine{.programs = {"claude", "gemini", "codex-acp", "copilot", "qwen", "opencode"}};
  machine.files = {".claude/.credentials.json", ".codex/auth.json"};
  machine.variables = {"GEMINI_API_KEY", "GH_TOKEN", "DASHSCOPE_API_KEY"};
  EXPECT_EQ(machine.setups(), "");
}

TEST(AgentSetups, AConfiguredProgramOfClaudeCodeNeedsNoAdvice) {
  const Machine machine{.programs = {"gemini", "codex-acp", "copilot", "qwen", "opencode"},
                        .variables = {"GEMINI_API_KEY", "OPENAI_API_KEY", "GH_TOKEN"}};
  EXPECT_EQ(machine.setups(true), "");
}

}  // namespace
}  // namespace parlance::app
