// SPDX-License-Identifier: Apache-2.0
// Start parameters of Claude Code: settings of the conversation, needs of the hub, flags of a host.
#include "parlance/driver/claude/start.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/loop.h"
#include "parlance/codec/json/value.h"

namespace parlance::driver {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

const hub::SessionSetup setup{.id = "c", .agent = "claude", .folder = "/work", .folders = {"/more"}};

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct Starting : testing::Test {
  ClaudeStart start(const hub::SessionSetup& of = setup, const hub::AgentSession& session = {},
                    const hub::PromptOptions& options = {}) {
    auto made = claude_start(settings, of, session, options);
    EXPECT_TRUE(made) << made.error().message;
    return *std::move(made);
  }
  json::Value first_words(const hub::PromptOptions& options = {}) {
    const ClaudeHooks hooks(loop, settings.hooks);
    return json::parse_or_null(claude_initialize(settings, hooks, options).json);
  }
  Loop loop;
  adapter::ClaudeRelay relay{loop};
  ClaudeAgentSettings settings{.launch = {.add_folders = {"/always"}}};
};

TEST_F(Starting, WorksInTheFoldersOfTheConversationWithItsModelAndMode) {
  hub::SessionSetup chosen = setup;
  chosen.model = "opus";
  chosen.mode = hub::Mode::plan;
  const claude::Launch launch = start(chosen, {.id = "s-1"}, {.most_rounds = 3}).launch;
  EXPECT_EQ(launch.folder, "/work");
  EXPECT_THAT(launch.add_folders, ElementsAre("/always", "/more"));
  EXPECT_EQ(launch.model, "opus");
  EXPECT_EQ(launch.mode, "plan");
  EXPECT_EQ(launch.resume, "s-1");
  EXPECT_FALSE(launch.fork_session);
  EXPECT_EQ(launch.max_turns, 3);
}

TEST_F(Starting, DefaultsAreOmittedAndBypassIsNeverAllowed) {
  hub::SessionSetup plain = setup;
  plain.model = "default";
  const claude::Launch launch = start(plain).launch;
  EXPECT_THAT(launch.model, IsEmpty());
  EXPECT_EQ(launch.mode, "default") << "settings files may name another";
  EXPECT_THAT(launch.resume, IsEmpty());
  EXPECT_EQ(launch.max_turns, std::nullopt);
  EXPECT_FALSE(launch.allow_bypass);
  EXPECT_THAT(launch.environment, Contains(Pair("CLAUDE_CODE_DISABLE_BACKGROUND_TASKS", "1")));
}

// Claude Code's other modes bypass the hub: no settings file, conversation mode or host flag may select them.
TEST_F(Starting, RunsInItsAskingModeWithHooksWhateverElseIsSaid) {
  using enum hub::Mode;
  for (const hub::Mode mode : {default_, auto_edit, smart, yolo, plan}) {
    hub::SessionSetup chosen = setup;
    chosen.mode = mode;
    const claude::Launch launch = start(chosen).launch;
    EXPECT_EQ(launch.mode, mode == plan ? "plan" : "default");
    EXPECT_EQ(launch.settings, R"({"disableAllHooks":false})");
  }
  settings.relay = &relay;
  relay.flags = {"--settings={\"disableAllHooks\":true,\"model\":\"opus\"}", "--betas=x"};
  claude::Launch launch = start().launch;
  EXPECT_EQ(launch.settings, R"({"disableAllHooks":false,"model":"opus"})");
  EXPECT_THAT(launch.more, ElementsAre("--betas=x"));
  relay.flags = {"--settings={broken"};
  launch = start().launch;
  EXPECT_EQ(launch.settings, "{broken") << "Claude Code says what is wrong";
}

TEST_F(Starting, ForkedSessionStartsAsACopy) {
  EXPECT_TRUE(start(setup, {.id = "s-1", .how = hub::AgentSession::How::fork}).launch.fork_session);
}

TEST_F(Starting, ServersAreInAPrivateTemporaryFile) {
  settings.mcp_servers = [] { return R"({"mcpServers":{"ours":{"command":"x","env":{"KEY":"secret"}}}})"; };
  std::string path;
  {
    const ClaudeStart made = start();
    path = made.launch.mcp_config;
    EXPECT_EQ(path, made.mcp_config->path());
    EXPECT_THAT(content_of(path), testing::HasSubstr("secret"));
    const auto others = std::filesystem::perms::group_all | std::filesystem::perms::others_all;
    EXPECT_EQ(std::filesystem::status(path).permissions() & others, std::filesystem::perms::none);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Starting, HostAddsServersAndMayExcludeOthers) {
  settings.mcp_servers = [] { return R"({"mcpServers":{"ours":{"command":"x"}}})"; };
  settings.relay = &relay;
  relay.mcp_config = R"({"mcpServers":{"theirs":{"command":"y"}}})";
  relay.flags = {"--betas=x"};
  relay.resume_at = "uuid";
  ClaudeStart made = start(setup, {.id = "s-1"});
  EXPECT_THAT(made.launch.more, Contains("--betas=x"));
  EXPECT_EQ(made.launch.resume_at, "uuid");
  EXPECT_THAT(content_of(made.launch.mcp_config), testing::AllOf(testing::HasSubstr("ours"), testing::HasSubstr("theirs")));
  relay.flags = {"--strict-mcp-config"};
  made = start();
  EXPECT_THAT(content_of(made.launch.mcp_config), testing::Not(testing::HasSubstr("ours")));
  EXPECT_THAT(made.launch.resume_at, IsEmpty()) << "there is no session to resume";
}

TEST_F(Starting, OwnServerIsNamedTwiceUnlessTheNameIsUsed) {
  std::string whose;
  settings.own_servers.push_back(
      {.name = "memory", .make = [&](const hub::SessionSetup& of) {
         whose = of.user.value_or("");
         return std::unique_ptr<adapter::ClaudeOwnServer>(new adapter::ClaudeOwnServer(
             std::make_unique<mcp::Server>(loop, mcp::ServerSettings{.info = {.name = "m", .version = "1"}})));
       }});
  hub::SessionSetup of_ann = setup;
  of_ann.user = "ann";
  const ClaudeStart made = start(of_ann);
  EXPECT_EQ(whose, "ann");
  EXPECT_EQ(content_of(made.launch.mcp_config), R"({"mcpServers":{"memory":{"type":"sdk","name":"memory"}}})");
  const ClaudeHooks hooks(loop, settings.hooks);
  EXPECT_THAT(claude_initialize(settings, hooks, {}, made.own_servers).json, testing::HasSubstr(R"("sdkMcpServers":["memory"])"));
  settings.mcp_servers = [] { return R"({"mcpServers":{"memory":{"command":"x"}}})"; };
  const ClaudeStart other = start(of_ann);
  EXPECT_TRUE(other.own_servers.empty());
  EXPECT_THAT(content_of(other.launch.mcp_config), testing::Not(testing::HasSubstr("sdk")));
}

TEST_F(Starting, EveryToolPassesTheGate) {
  const json::Value request = first_words();
  EXPECT_EQ(json::to_text(*request.find("hooks")),
            R"({"PreToolUse":[{"hookCallbackIds":["parlance_hook_gate"],"timeout":604800,"onFailure":"block"}]})");
  settings.relay = &relay;
  relay.initialize.json = R"({"hooks":{"PreToolUse":[{"matcher":"Bash","hookCallbackIds":["hook_0"]}]}})";
  const std::string hooks = json::to_text(*first_words().find("hooks"));
  EXPECT_THAT(hooks, testing::AllOf(testing::HasSubstr("hook_0"), testing::HasSubstr("parlance_hook_gate")));
}

TEST_F(Starting, InstructionsAreTheHubsUnlessAHostSaysOtherwise) {
  EXPECT_EQ(first_words().find("systemPrompt"), nullptr);
  const json::Value request = first_words({.system = "be brief", .append_system = "and kind"});
  EXPECT_EQ(json::to_text(*request.find("systemPrompt")), R"(["be brief"])");
  EXPECT_EQ(request.text_or("appendSystemPrompt", ""), "and kind");
  EXPECT_FALSE(request.boolean_or("systemPromptSnapshot", true)) << "each prompt has its own";
  settings.relay = &relay;
  relay.initialize.json = R"({"agents":{"a":1}})";
  const json::Value joined = first_words({.append_system = "and kind"});
  EXPECT_NE(joined.find("agents"), nullptr) << "what a host asks for goes as it came";
  EXPECT_EQ(joined.text_or("appendSystemPrompt", ""), "and kind");
  EXPECT_EQ(joined.find("systemPromptSnapshot"), nullptr) << "that is the host's to say";
}

}  // namespace
}  // namespace parlance::driver
