// parlance serve-claude with a scripted Claude Code behind (fake_agent.mjs): what of the command line reaches it, and how.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/programs.h"

namespace parlance::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class ServeClaude : public ProgramTest {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
  }
  // One prompt of a host that started us with these flags.
  Finished host(Words flags, const std::string& agent = "claude") {
    Words words{"--output-format", "stream-json", "--input-format", "stream-json", "--verbose"};
    words.insert(words.end(), flags.begin(), flags.end());
    return parlance(std::move(words),
                    R"({"type":"user","message":{"role":"user","content":"go"}})"
                    "\n",
                    {{"FAKE_LOG", path("log")},
                     {"PARLANCE_STATE", path("state")},
                     {"PARLANCE_SERVE_AGENT", agent},
                     {"PARLANCE_CLAUDE_COMMAND", PARLANCE_NODE " " PARLANCE_SOURCE_DIR "/tests/peers/claude/fake_agent.mjs"}});
  }
  // The command line of the one that was started behind us.
  Words words() const {
    Words all;
    std::istringstream log(read_file(path("log")));
    for (std::string line; std::getline(log, line);) {
      const json::Value record = parsed(line);
      if (text_at(record, {"event"}) != "spawned") continue;
      const json::Value told = at(record, {"argv"});
      for (const json::Value& word : *told.array()) all.push_back(*word.text());
    }
    return all;
  }
};

TEST_F(ServeClaude, WhatOnlyClaudeCodeCanKeepReachesItAsOftenAsItComes) {
  const Finished finished = host({"--add-dir=/a", "--add-dir", "/b", "/c", "--tools=", "--effort", "high", "--betas", "one,two",
                                  "--unheard-of=1", "--agents={\"x\":{}}", "--allowedTools", "Bash(git log:*)", "--max-turns=7",
                                  "--plugin-dir=/p", "--plugin-dir=/q", "--permission-mode", "acceptEdits"});
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.out, HasSubstr(R"("subtype":"success")"));
  const Words told = words();
  for (const char* word :
       {"--add-dir=/a", "--add-dir=/b", "--add-dir=/c", "--tools=", "--effort=high", "--betas=one,two", "--unheard-of=1",
        "--agents={\"x\":{}}", "--allowedTools=Bash(git log:*)", "--plugin-dir=/p", "--plugin-dir=/q"})
    EXPECT_THAT(told, Contains(word));
  EXPECT_EQ(std::ranges::count(told, "--max-turns"), 1) << "we say it ourselves";
  EXPECT_THAT(told, Not(Contains("--max-turns=7")));
  EXPECT_EQ(std::ranges::count(told, "--permission-mode"), 1);
}

TEST_F(ServeClaude, ASessionThatIsNotToBeKeptIsNot) {
  EXPECT_EQ(host({"--no-session-persistence"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(path("state/claude-sessions")));
  EXPECT_THAT(words(), Contains("--no-session-persistence"));
  EXPECT_EQ(host({}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("state/claude-sessions")));
}

TEST_F(ServeClaude, AFolderThatIsNotThereIsTold) {
  const Finished finished = host({"--add-dir=/no/such/folder"}, "parlance");
  EXPECT_EQ(finished.code, 1);
  EXPECT_THAT(finished.errors, HasSubstr("--add-dir: /no/such/folder is no folder"));
}

}  // namespace
}  // namespace parlance::test
