// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/config/acp_agents.h"

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>

#include "apps/parlance/config/test_support.h"

namespace parlance::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AcpAgents : public test::ConfigTest {
 protected:
  // The agent `id` of a file with this content.
  driver::AcpAgentSettings agent(std::string_view toml, const std::string& id = "a") const {
    auto all = acp_agents(resolved({}, write("f.toml", std::string(toml))));
    EXPECT_TRUE(all) << all.error().message;
    if (!all) return {};
    const auto found =
        std::ranges::find(*all, id, [](const ConfiguredAgent& configured_agent) { return configured_agent.settings.id; });
    EXPECT_NE(found, all->end());
    return found == all->end() ? driver::AcpAgentSettings{} : found->settings;
  }
  std::string error(std::string_view toml) const {
    const auto all = acp_agents(resolved({}, write("f.toml", std::string(toml))));
    return all ? "none" : all.error().message;
  }
};

TEST_F(AcpAgents, ACommandAndItsOptionalMembers) {
  const auto a = agent(
      "[agents.a]\nname = \"A\"\ncommand = \"npx  agent --acp\"\nfiles = \"off\"\nterminals = \"off\"\nsign_in = \"key\"\n");
  EXPECT_EQ(a.name, "A");
  EXPECT_THAT(a.command, ElementsAre("npx", "agent", "--acp"));
  EXPECT_FALSE(a.files);
  EXPECT_FALSE(a.terminals);
  EXPECT_EQ(a.sign_in->method_id, "key");
  EXPECT_EQ(agent("[agents.a]\ncommand = \"x\"\ndialect = \"iflow\"\n").flavour, acp::Flavour::iflow);
}

TEST_F(AcpAgents, AnAddressAndItsToken) {
  set("AGENT_TOKEN", "secret");
  const auto a = agent("[agents.a]\nurl = \"https://a.example/acp\"\ntoken_variable = \"AGENT_TOKEN\"\n");
  EXPECT_EQ(a.url, "https://a.example/acp");
  EXPECT_EQ(a.token, "secret");
  EXPECT_TRUE(a.command.empty());
  unset("AGENT_TOKEN");
  EXPECT_THAT(error("[agents.a]\nurl = \"https://a\"\ntoken_variable = \"AGENT_TOKEN\"\n"),
              HasSubstr("[agents.a] token_variable: the environment has no AGENT_TOKEN"));
}

TEST_F(AcpAgents, ATokenInAFile) {
  const std::string file = write("token", "secret\n");
  std::filesystem::permissions(file, std::filesystem::perms(0600));
  EXPECT_EQ(agent("[agents.a]\nurl = \"wss://a\"\ntoken_file = \"" + file + "\"\n").token, "secret");
  std::filesystem::permissions(file, std::filesystem::perms(0644));
  EXPECT_THAT(error("[agents.a]\nurl = \"wss://a\"\ntoken_file = \"" + file + "\"\n"),
              HasSubstr("[agents.a] token_file: other users may read"));
}

TEST_F(AcpAgents, TimesAndSizesHoldForAllAndIflowMayRunAlready) {
  const auto iflow = agent("agent-timeout = \"2500\"\nprompt-file-bytes = \"5\"\niflow-port = \"8090\"\n", "iflow");
  EXPECT_EQ(iflow.timeout, std::chrono::milliseconds(2500));
  EXPECT_EQ(iflow.prompt_file_bytes, 5U);
  EXPECT_EQ(iflow.running, "ws://localhost:8090/acp");
  EXPECT_EQ(agent("", "iflow").running, "");
  EXPECT_EQ(agent("iflow-port = \"8090\"\n", "qwen").running, "");
  EXPECT_THAT(error("agent-timeout = \"soon\"\n"), HasSubstr("--agent-timeout: \"soon\" is no number of MS; give 1 to 86400000"));
}

// OPENCODE_PERMISSION makes OpenCode ask. A key for its model in the same table removed it.
TEST_F(AcpAgents, VariablesOfTheFileExtendThoseOfThePreset) {
  const auto value = [](const driver::AcpAgentSettings& settings, std::string_view name) {
    std::string all;
    for (const auto& [variable, text] : settings.environment)
      if (variable == name) all += text + ";";
    return all;
  };
  const auto added = agent("[agents.opencode]\nenv = [\"KEY=k\"]\n", "opencode");
  EXPECT_EQ(value(added, "KEY"), "k;");
  EXPECT_THAT(value(added, "OPENCODE_PERMISSION"), HasSubstr("ask"));
  const auto named = agent("[agents.opencode]\nenv = [\"OPENCODE_PERMISSION={}\"]\n", "opencode");
  EXPECT_EQ(value(named, "OPENCODE_PERMISSION"), "{};");
}

TEST_F(AcpAgents, TheFileOverridesAPreset) {
  const auto gemini = agent("[agents.gemini]\nurl = \"ws://127.0.0.1:1/acp\"\n", "gemini");
  EXPECT_EQ(gemini.url, "ws://127.0.0.1:1/acp");
  EXPECT_TRUE(gemini.command.empty());
  EXPECT_FALSE(agent("", "qwen").command.empty());
}

TEST_F(AcpAgents, OnlyAnAgentDeclaredToAskNeedsNoAskingMode) {
  EXPECT_TRUE(agent("[agents.a]\ncommand = \"x\"\nasks = \"always\"\n", "a").modes.asks_always);
  EXPECT_FALSE(agent("[agents.a]\ncommand = \"x\"\nasks = \"by_mode\"\n", "a").modes.asks_always);
  EXPECT_FALSE(agent("[agents.a]\ncommand = \"x\"\n", "a").modes.asks_always);
  EXPECT_THAT(error("[agents.a]\ncommand = \"x\"\nasks = \"never\"\n"), HasSubstr("\"never\" is unknown: set \"always\""));
}

TEST_F(AcpAgents, AFaultIsReportedWithItsPlace) {
  EXPECT_THAT(error("[agents.a]\nname = \"A\"\n"), HasSubstr("[agents.a] needs a command or a url"));
  EXPECT_THAT(error("[agents.a]\ncommand = \"x\"\nurls = \"y\"\n"), HasSubstr("[agents.a] urls: an agent has name, command"));
  EXPECT_THAT(error("[agents.a]\ncommand = \"x\"\nfiles = \"perhaps\"\n"), HasSubstr("neither on nor off"));
  EXPECT_THAT(error("[agents.a]\ncommand = \"x\"\ndialect = \"klingon\"\n"), HasSubstr("there are standard and iflow"));
}

}  // namespace
}  // namespace parlance::app
