// SPDX-License-Identifier: Apache-2.0
// Gemini CLI (0.61.0) with a scripted model: a new file, and a session in a second process.
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "tests/peers/acp/agent_fixture.h"

namespace parlance::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class GeminiCli : public AcpAgentTest {
 protected:
  void SetUp() override {
    needs("gemini-cli", "@google/gemini-cli/bundle/gemini.js");
    if (IsSkipped() || HasFatalFailure()) return;
    std::filesystem::create_directories(base + "/home/.gemini");
    std::ofstream(base + "/home/.gemini/settings.json")
        << R"({"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false},)"
        << R"("general":{"disableAutoUpdate":true}})";
    settings_.name = "Gemini CLI";
    settings_.command = {PARLANCE_NODE, peers_folder() + "/gemini-cli/node_modules/@google/gemini-cli/bundle/gemini.js", "--acp"};
    settings_.environment = {{"HOME", base + "/home"},
                             {"GEMINI_API_KEY", "dummy"},
                             {"GOOGLE_GEMINI_BASE_URL", started_model()},
                             {"GEMINI_CLI_TRUST_WORKSPACE", "true"}};
    open_hub(settings_);
  }
  driver::AcpAgentSettings settings_;
};

TEST_F(GeminiCli, ANewFileIsReadAsEmptyAndThenWritten) {
  const std::string id = conversation();
  begin(id, R"(call:write_file {"file_path":")" + base + R"(/work/new.txt","content":"made\n"})");
  answer(asked(), hub::OptionKind::allow_once);
  until_idle(id);
  EXPECT_EQ(file("new.txt"), "made\n") << said(id) << last_failure(id);
  EXPECT_EQ(events<hub::event::ToolEnd>(id).back().state, hub::ToolEndState::done);
}

TEST_F(GeminiCli, TheHistoryOfALoadedSessionIsNotSentAgain) {
  const std::string id = conversation();
  EXPECT_THAT(turn(id, "the first message"), HasSubstr("Echo: the first message")) << last_failure(id);
  EXPECT_THAT(turn(id, "the second message"), HasSubstr("Echo: the second message"));
  const std::size_t before = events<hub::event::Text>(id).size();
  open_hub(settings_);  // another process
  begin(id, "the third message");
  until([&] { return !open_asks(*hub).empty() || hub->find(id)->state == hub::ConversationState::idle; }, "the third turn");
  if (const auto open = open_asks(*hub); !open.empty())
    GTEST_SKIP() << "Gemini CLI sometimes does not find its session (docs/agents.md): " << open.front().title;
  std::string after;
  const auto texts = events<hub::event::Text>(id);
  for (std::size_t i = before; i < texts.size(); ++i) after += texts[i].text;
  EXPECT_THAT(after, HasSubstr("Echo: the third message")) << last_failure(id);
  EXPECT_THAT(after, Not(HasSubstr("the first message")));
  EXPECT_THAT(after, Not(HasSubstr("the second message")));
}

}  // namespace
}  // namespace parlance::test
