// SPDX-License-Identifier: Apache-2.0
// An agent does not see a prompt before a person has allowed the programs of the folder; a changed file asks again.
#include "apps/parlance/config/trusting_agent.h"

#include <sys/stat.h>

#include <gmock/gmock.h>

#include "apps/parlance/config/test_support.h"
#include "apps/parlance/config/trust.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_support.h"

namespace parlance::app {
namespace {

using testing::HasSubstr;

class TrustingAgentTest : public test::ConfigTest {
 protected:
  TrustingAgentTest() { open(); }
  void open() {
    hub.reset();
    hub = std::make_unique<hub::Hub>(loop, store);
    hub->add_agent(in_trusted_folders(std::make_unique<hub::test::ScriptedProvider>(script, log), base + "/state/own"));
    EXPECT_TRUE(loop.block_on(hub->start()));
  }
  void put(const std::string& text) const { std::ofstream(base + "/work/.mcp.json") << text; }
  std::string conversation() { return hub::test::create(loop, *hub, {.agent = "scripted", .folder = base + "/work"}); }
  // Sends a prompt and returns the open request, if any.
  std::optional<hub::Ask> prompt(const std::string& id) {
    EXPECT_TRUE(loop.block_on(hub->submit(id, hub::SendPrompt{.text = "go"})));
    loop.run_ready();
    for (const hub::Ask& ask : open_asks(*hub))
      if (ask.state == hub::AskState::open) return ask;
    return std::nullopt;
  }
  void answer(const hub::Ask& ask, std::string option) {
    EXPECT_TRUE(loop.block_on(hub->submit(
        ask.conversation, hub::AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = std::move(option)}})));
    loop.run_ready();
  }

  int prompts = 0;  // received by the agent
  hub::test::Script script = [this](hub::Turn&, hub::Prompt) -> Task<Result<hub::StopReason>> {
    ++prompts;
    co_return hub::StopReason::end_turn;
  };
  hub::test::AgentLog log;
  Loop loop{Loop::Time::virtual_};
  hub::test::MemoryStore store{loop};
  std::unique_ptr<hub::Hub> hub;
};

constexpr const char* servers = R"({"mcpServers":{"x":{"command":"./evil"}}})";

TEST_F(TrustingAgentTest, AFolderWithoutProgramsNeedsNoApproval) {
  EXPECT_FALSE(prompt(conversation()));
  EXPECT_EQ(prompts, 1);
}

TEST_F(TrustingAgentTest, ProgramsNeedApprovalOnceBeforeThePromptReachesTheAgent) {
  put(servers);
  const auto ask = prompt(conversation());
  ASSERT_TRUE(ask);
  EXPECT_EQ(prompts, 0);
  EXPECT_THAT(ask->detail.value_or(""), testing::AllOf(HasSubstr(".mcp.json"), HasSubstr("./evil")));
  answer(*ask, "trust");
  EXPECT_EQ(prompts, 1);
  EXPECT_FALSE(prompt(conversation())) << "remembered";
  EXPECT_EQ(prompts, 2);
  open();
  EXPECT_FALSE(prompt(conversation())) << "also by the next program";
  const std::vector<TrustedFile> kept = trusted_files(base + "/state/own");
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].path, base + "/work/.mcp.json");
  struct stat about{};
  ASSERT_EQ(::stat((base + "/state/own/trusted").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 077U, 0U);

  put(R"({"mcpServers":{"x":{"command":"./worse"}}})");
  const auto again = prompt(conversation());
  ASSERT_TRUE(again) << "other contents";
  EXPECT_THAT(again->detail.value_or(""), testing::AllOf(HasSubstr("./worse"), HasSubstr("changed")));
  EXPECT_EQ(prompts, 3);
}

TEST_F(TrustingAgentTest, ANoRefusesThePromptAndIsForgotten) {
  put(servers);
  for (int round = 0; round < 2; ++round) {
    const std::string id = conversation();
    const auto ask = prompt(id);
    ASSERT_TRUE(ask) << "asked each time";
    answer(*ask, "reject");
    EXPECT_EQ(prompts, 0);
    std::string failures;
    for (const hub::Event& event : store.logs.at(id))
      if (const auto* failure = std::get_if<hub::event::Failure>(&event.body)) failures += failure->message;
    EXPECT_THAT(failures, testing::AllOf(HasSubstr("does not start"), HasSubstr(".mcp.json")));
  }
  EXPECT_TRUE(trusted_files(base + "/state/own").empty());
}

TEST_F(TrustingAgentTest, AFileChangedDuringTheRequestIsNotAllowed) {
  put(servers);
  const auto ask = prompt(conversation());
  ASSERT_TRUE(ask);
  put(R"({"mcpServers":{"x":{"command":"./worse"}}})");
  answer(*ask, "trust");
  EXPECT_EQ(prompts, 0);
}

TEST_F(TrustingAgentTest, AStopDuringTheRequestEndsTheTurn) {
  put(servers);
  const std::string id = conversation();
  const auto ask = prompt(id);
  ASSERT_TRUE(ask);
  ASSERT_TRUE(hub->submit_at_once(id, hub::StopTurn{}));
  loop.run_ready();
  EXPECT_EQ(prompts, 0);
  EXPECT_TRUE(hub::test::is_idle(*hub, id));
}

TEST_F(TrustingAgentTest, SessionsOfAnUntrustedFolderAreNotListed) {
  const auto provider = in_trusted_folders(std::make_unique<hub::test::ScriptedProvider>(script, log), base + "/state/own");
  log.kept = {{.id = "s-1"}};
  EXPECT_TRUE(loop.block_on(provider->sessions(base + "/work")));
  put(servers);
  const auto listed = loop.block_on(provider->sessions(base + "/work"));
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, Errc::denied);
}

}  // namespace
}  // namespace parlance::app
