// Claude Code (fake_agent.mjs) at the end of the program that drives it: it is asked to end, and has the time to do so in order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/system/conversations.h"

namespace parlance::test {
namespace {

const std::string fake_agent = PARLANCE_NODE " " PARLANCE_SOURCE_DIR "/tests/peers/claude/fake_agent.mjs";

class ClaudeEnds : public ConversationsTest {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
    std::filesystem::create_directories(farewells());
    std::filesystem::create_directories(work());
  }
  std::string farewells() const { return path("farewells"); }
  // How many have ended in order.
  std::ptrdiff_t said_goodbye() const { return std::distance(std::filesystem::directory_iterator(farewells()), {}); }
  Variables playing(const std::string& play) const {
    return {{mark_name, folder()},     {"FAKE_SCRIPT", play},       {"FAKE_FAREWELL", farewells()},
            {"FAKE_LOG", path("log")}, {"PARLANCE_STATE", state()}, {"PARLANCE_CLAUDE_COMMAND", fake_agent}};
  }
};

TEST_F(ClaudeEnds, InOrderAfterItsOnlyPrompt) {
  EXPECT_EQ(parlance({"run", "claude", "go"}, "", playing("echo")).code, 0);
  EXPECT_EQ(said_goodbye(), 1);
}

TEST_F(ClaudeEnds, InOrderWhenRunIsToldToEndOrItsTimeIsOver) {
  const auto run = launch(with_program({"run", "claude", "go"}), playing("interrupt"));
  until([&] { return !run->lines.empty() || run->ended() || read_file(path("log")).contains("working"); }, "the turn");
  run->child().signal_group(SIGTERM);
  until([&] { return run->ended(); }, "its end");
  EXPECT_EQ(said_goodbye(), 1);
  EXPECT_EQ(parlance({"run", "claude", "go", "--timeout", "1"}, "", playing("interrupt")).code, 5);
  EXPECT_EQ(said_goodbye(), 2);
}

TEST_F(ClaudeEnds, InOrderWhenItsHostClosesTheInput) {
  Variables variables = playing("echo");
  variables.emplace_back("PARLANCE_SERVE_AGENT", "claude");
  EXPECT_EQ(parlance({"--output-format=stream-json", "--input-format=stream-json"},
                     R"({"type":"user","message":{"role":"user","content":"go"}})"
                     "\n",
                     variables)
                .code,
            0);
  EXPECT_EQ(said_goodbye(), 1);
}

// One that is idle and one that works, at once; and nothing of them is left.
TEST_F(ClaudeEnds, InOrderWhenTheGatewayIsToldToEnd) {
  const auto gateway = launch(with_program({"gateway", "--listen", "127.0.0.1:0", "--agent-socket", socket(), "--ready-file",
                                            ready_file(), "--folder", work()}),
                              playing("interrupt"));
  until([&] { return !read_file(ready_file()).empty() || gateway->ended(); }, "the ready file");
  const json::Value told = parsed(read_file(ready_file()));
  token = text_at(told, {"token"});
  base = text_at(told, {"url"});
  base.resize(base.find('/', base.find("://") + 3) + 1);
  const auto page = connect();
  std::vector<std::string> ids;
  for (int i = 0; i < 2; ++i) {
    ids.push_back(text_at(done(*page, "new", R"("agent":"claude","folder":")" + work() + "\""), {"conversation", "id"}));
    open(*page, ids[i]);
    prompt(*page, ids[i], "go");
    until([&] { return page->text(ids[i]) == "working"; }, "its work");
  }
  done(*page, "stop", R"("conversation":")" + ids[0] + "\"");
  until_turns(*page, ids[0], 1);
  gateway->child().signal_group(SIGTERM);
  until([&] { return gateway->ended(); }, "its end");
  EXPECT_EQ(gateway->child().exit_status()->code, 0);
  EXPECT_EQ(said_goodbye(), 2);
  EXPECT_TRUE(marked_processes().empty());
}

TEST_F(ClaudeEnds, AndNothingOfItIsLeftWhenWeAreKilled) {
  const auto run = launch(with_program({"run", "claude", "go"}), playing("interrupt"));
  until([&] { return read_file(path("log")).contains("working"); }, "the turn");
  ::kill(run->child().pid(), SIGKILL);
  until([&] { return run->ended() && marked_processes().empty(); }, "the end of everything");
}

}  // namespace
}  // namespace parlance::test
