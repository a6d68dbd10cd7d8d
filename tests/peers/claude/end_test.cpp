// SPDX-License-Identifier: Apache-2.0
// Claude Code (fake_agent.mjs) at the end of the program that drives it: it is asked to end, and has the time to do so in order.
#include <filesystem>

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
  // Two conversations with it.
  std::unique_ptr<PageClient> one_idle_one_at_work() {
    auto page = connect();
    std::string id;
    for (const bool idle : {true, false}) {
      id = text_at(done(*page, "new", R"("agent":"claude","folder":")" + work() + "\""), {"conversation", "id"});
      open(*page, id);
      prompt(*page, id, "go");
      until([&] { return page->text(id) == "working"; }, "its work");
      if (!idle) continue;
      done(*page, "stop", R"("conversation":")" + id + "\"");
      until_turns(*page, id, 1);
    }
    return page;
  }
  Variables playing(const std::string& play) const {
    return {{mark_name, folder()},     {"FAKE_SCRIPT", play},       {"FAKE_FAREWELL", farewells()},
            {"FAKE_LOG", path("log")}, {"PARLANCE_STATE", state()}, {"PARLANCE_CLAUDE_COMMAND", fake_agent}};
  }
};

TEST_F(ClaudeEnds, InOrderAfterItsOnlyPrompt) {
  EXPECT_EQ(parlance({"run", "claude", "go"}, "", playing("echo")).code, 0);
  EXPECT_EQ(said_goodbye(), 1);
}

TEST_F(ClaudeEnds, InOrderAfterASignalToRunOrATimeout) {
  const auto run = launch(with_program({"run", "claude", "go"}), playing("interrupt"));
  until_file(
      path("log"), [&] { return !run->lines.empty() || run->ended() || read_file(path("log")).contains("working"); }, "the turn");
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

// Nothing of them is left either.
TEST_F(ClaudeEnds, InOrderAfterASignalToTheGateway) {
  const auto gateway = launch(with_program({"gateway", "--listen", "127.0.0.1:0", "--agent-socket", socket(), "--ready-file",
                                            ready_file(), "--folder", work()}),
                              playing("interrupt"));
  until_file(ready_file(), [&] { return !read_file(ready_file()).empty() || gateway->ended(); }, "the ready file");
  const json::Value ready = parsed(read_file(ready_file()));
  token = text_at(ready, {"token"});
  base = text_at(ready, {"url"});
  base.resize(base.find('/', base.find("://") + 3) + 1);
  const auto page = one_idle_one_at_work();
  gateway->child().signal_group(SIGTERM);
  until([&] { return gateway->ended(); }, "its end");
  EXPECT_EQ(gateway->child().exit_status()->code, 0);
  EXPECT_EQ(said_goodbye(), 2);
  EXPECT_TRUE(marked_processes().empty());
}

TEST_F(ClaudeEnds, InOrderAfterASignalToUp) {
  start_up({}, playing("interrupt"));
  const auto page = one_idle_one_at_work();
  ASSERT_EQ(::kill(up->child().pid(), SIGTERM), 0);
  until([&] { return up->ended(); }, "its end");
  EXPECT_EQ(up->child().exit_status()->code, 0);
  EXPECT_EQ(said_goodbye(), 2);
  EXPECT_TRUE(marked_processes().empty());
}

TEST_F(ClaudeEnds, AndNoProcessRemainsAfterAKill) {
  const auto run = launch(with_program({"run", "claude", "go"}), playing("interrupt"));
  until_file(path("log"), [&] { return read_file(path("log")).contains("working"); }, "the turn");
  ::kill(run->child().pid(), SIGKILL);
  until([&] { return run->ended(); }, "its end");
  until_ended([&] { return marked_processes(); });
}

}  // namespace
}  // namespace parlance::test
