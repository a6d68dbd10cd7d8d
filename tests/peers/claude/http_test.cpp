// SPDX-License-Identifier: Apache-2.0
// What an HTTP client asks of the model "claude" goes to Claude Code, here the scripted one, with all that the client says was said before.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/driver/claude/agent_via_claude.h"
#include "parlance/face/openai/chat_via_hub.h"
#include "parlance/hub/test_support.h"

namespace parlance::service {
namespace {

using testing::HasSubstr;

class ClaudeOverHttp : public testing::Test {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
    folder = (std::filesystem::temp_directory_path() / "parlance-XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    hub.add_agent(driver::agent_via_claude(
        loop, {.launch = {.command = {PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/claude/fake_agent.mjs"},
                          .environment = {{"FAKE_SCRIPT", "echo"}, {"FAKE_LOG", folder + "/log"}}}}));
    ASSERT_TRUE(loop.block_on(hub.start()));
  }
  void TearDown() override {
    if (folder.empty()) return;
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  std::string log() const {
    std::ostringstream text;
    text << std::ifstream(folder + "/log").rdbuf();
    return text.str();
  }

  std::string folder;
  Loop loop;
  hub::test::MemoryStore store{loop};
  hub::Hub hub{loop, store};
};

TEST_F(ClaudeOverHttp, GetsTheWholeHistoryAndAnswers) {
  face::ChatViaHub chats(loop, {.folder = folder});
  face::Unfollowed nobody;
  using model::Role;
  const auto answer = loop.block_on(chats.chat(hub,
                                               {.messages = {{.role = Role::system, .content = "Be brief."},
                                                             {.content = "My name is Ann."},
                                                             {.role = Role::assistant, .content = "Hello, Ann."},
                                                             {.content = "What is my name?"}},
                                                .by = {.agent = "claude"}},
                                               nobody));
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->content, "hello");
  EXPECT_EQ(answer->stop, model::StopReason::end_turn);
  EXPECT_THAT(log(), HasSubstr(R"(Person: My name is Ann.\nYou: Hello, Ann.\n</conversation_so_far>\nWhat is my name?)"));
  EXPECT_THAT(log(), HasSubstr(R"("appendSystemPrompt":"Be brief.")"));
  loop.run_until([&] { return chats.running() == 0; });
  EXPECT_TRUE(store.conversations.empty());
}

}  // namespace
}  // namespace parlance::service
