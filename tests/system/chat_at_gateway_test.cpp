// SPDX-License-Identifier: Apache-2.0
// parlance chat and run at a gateway: large requests, the queue, a deleted conversation, and a gateway that has ended. Standard
// input is a pipe.
#include <csignal>

#include <gmock/gmock.h>

#include "tests/system/conversations.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ChatAtGateway : public ConversationsTest {
 protected:
  void SetUp() override {
    start_up();
    page = connect();
    id = new_conversation(*page);
  }
  Variables mine() const { return {{"PARLANCE_TOKEN", token}, {"PARLANCE_STATE", path("own")}}; }
  Words there(Words words) const {
    words.push_back("--to=ws" + base.substr(4, base.size() - 5));
    return words;
  }
  std::unique_ptr<Program> started(Words words) { return launch(with_program(there(std::move(words))), mine()); }
  void say(Program& program, const std::string& line) { type(program, line + "\n"); }
  static std::string said(const Program& program) {
    std::string all = program.errors;
    for (const std::string& line : program.lines) all += line + "\n";
    return all;
  }
  void until_said(Program& program, const std::string& text) {
    until([&] { return said(program).contains(text) || program.ended(); }, text);
    ASSERT_THAT(said(program), HasSubstr(text));
  }
  void until_ended(Program& program) {
    until([&] { return program.ended(); }, "the end");
  }
  std::unique_ptr<PageClient> page;
  std::string id;
};

// The request of a large change is sent apart from its event.
TEST_F(ChatAtGateway, ALargeChangeIsAskedAbout) {
  const std::string line(79, 'y');
  std::string text = "MARK\n";
  while (text.size() < 300'000) text += line + "\n";
  write_file(work() + "/big.txt", text);
  const Finished done = parlance(there({"run", "parlance", "edit big.txt MARK => CHANGED", "--approve", "all"}), "", mine());
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_EQ(read_file(work() + "/big.txt").substr(0, 8), "CHANGED\n");
}

TEST_F(ChatAtGateway, AWaitingMessageIsWithdrawnByCtrlCAndTheTurnOfTheOtherContinues) {
  const auto chat = started({"chat", "--resume=" + id});
  prompt(*page, id, "slow 100000 5");
  until_said(*chat, "w1 w2");
  say(*chat, "list");
  until_said(*chat, "waits for the running turn");
  ::kill(chat->child().pid(), SIGINT);
  until_said(*chat, "your message is withdrawn");
  EXPECT_EQ(page->count(id, "turn_end"), 0U);
  done(*page, "stop", R"("conversation":")" + id + "\"");
  until_turns(*page, id, 1);
  EXPECT_EQ(page->count(id, "user_message"), 1U);
  say(*chat, "help");
  until_turns(*page, id, 2);
  say(*chat, "/exit");
  until_ended(*chat);
}

TEST_F(ChatAtGateway, AHeldQueueGivesThePersonTheLineBack) {
  const auto chat = started({"chat", "--resume=" + id});
  prompt(*page, id, "slow 100000 5");
  until_said(*chat, "w1 w2");
  say(*chat, "help");
  until_said(*chat, "waits for the running turn");
  done(*page, "stop", R"("conversation":")" + id + "\"");
  until_said(*chat, "the queue is held: /queue go continues");
  say(*chat, "/queue go");
  until_turns(*page, id, 2);
  until_said(*chat, "Anything else gets a friendly answer");
  say(*chat, "/exit");
  until_ended(*chat);
}

TEST_F(ChatAtGateway, ADeletedConversationIsReportedAndTheChatContinuesInAnother) {
  const auto chat = started({"chat", "--resume=" + id, "--cwd", work()});
  say(*chat, "/title shed");
  until_said(*chat, "title shed");
  done(*page, "delete", R"("conversation":")" + id + "\"");
  until_observed(
      [&] {
        say(*chat, "/title");
        loop.run_for(std::chrono::milliseconds(50));
        return said(*chat).contains("the conversation was deleted");
      },
      "the deletion in the chat");
  for (const char* command : {"/title", "/mode", "/queue", "/archive", "/usage"}) say(*chat, command);
  say(*chat, "lost words");
  say(*chat, "/agent parlance");
  say(*chat, "long 3");
  until_said(*chat, "w1 w2 w3");
  EXPECT_THAT(said(*chat), AllOf(HasSubstr("the conversation was deleted"), Not(HasSubstr("lost words"))));
  say(*chat, "/exit");
  until_ended(*chat);
  EXPECT_EQ(chat->child().exit_status()->code, 0);
}

TEST_F(ChatAtGateway, WithoutTheGatewayRunEndsAtASignalAndAtItsTimeout) {
  const auto run = started({"run", "parlance", "slow 100000 5"});
  const auto limited = started({"run", "parlance", "slow 100000 5", "--timeout", "3"});
  const auto chat = started({"chat", "parlance"});
  const auto waits = started({"chat", "parlance"});
  until_said(*run, "w1 w2");
  until_said(*limited, "w1 w2");
  say(*chat, "/mode");
  until_said(*chat, "mode default");
  say(*waits, "/mode");
  until_said(*waits, "mode default");
  kill_everything();
  until_said(*run, "connecting again");
  ::kill(run->child().pid(), SIGINT);
  ::kill(run->child().pid(), SIGTERM);
  until_ended(*run);
  EXPECT_EQ(run->child().exit_status()->code, 1) << said(*run);
  EXPECT_THAT(said(*run), HasSubstr("a gateway may still run the turn"));
  say(*chat, "/exit");  // would delete the empty conversation
  until_ended(*chat);
  EXPECT_EQ(chat->child().exit_status()->code, 0) << said(*chat);
  say(*waits, "/title none");
  until_said(*waits, "connecting again");
  ::kill(waits->child().pid(), SIGTERM);
  until_ended(*waits);
  until_ended(*limited);
  EXPECT_EQ(limited->child().exit_status()->code, 5) << said(*limited);
}

}  // namespace
}  // namespace parlance::test
