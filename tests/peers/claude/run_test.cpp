// SPDX-License-Identifier: Apache-2.0
// parlance run with a scripted Claude Code (fake_agent.mjs): the terminal's output, the answers in the terminal, and the exit
// codes.
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/transport/limits.h"
#include "tests/support/programs.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Run : public ProgramTest {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
  }
  // A prompt to an agent with the play `play`; `input` is the person's typed text.
  Finished agent(const std::string& play, Words flags, std::string_view input = "") {
    Words words{"run", "claude", "go"};
    words.insert(words.end(), flags.begin(), flags.end());
    for (const char* word : {"--", PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/claude/fake_agent.mjs"})
      words.emplace_back(word);
    return parlance(std::move(words), input,
                    {{"FAKE_SCRIPT", play}, {"FAKE_LOG", path("log")}, {"FAKE_BYTES", bytes}, {"PARLANCE_STATE", path("state")}});
  }
  std::string bytes = "0";  // of the big lines
  // How our answers to its questions began, in order.
  std::string answers() const {
    std::string all;
    std::istringstream log(read_file(path("log")));
    for (std::string line; std::getline(log, line);) {
      const json::Value record = parsed(line);
      if (text_at(record, {"dir"}) == "h2a" && text_at(record, {"msg", "type"}) == "control_response")
        all += text_at(record, {"msg", "response", "response", "behavior"}) + " ";
    }
    return all;
  }
};

TEST_F(Run, ItsTextIsTheOutputAndAllElseIsNot) {
  const Finished finished = agent("echo", {});
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_EQ(finished.out, "hello\n");
  EXPECT_THAT(finished.errors, HasSubstr("tokens in"));
}

// docs/howto/mcp_servers.md: every conversation, whatever agent answers.
TEST_F(Run, ServersOfTheConfigurationReachClaudeCode) {
  std::filesystem::create_directories(path(".config/parlance"));
  write_file(path(".config/parlance/parlance.toml"),
             "[mcp.near]\ncommand = [\"near\", \"--flag\"]\n"
             "[mcp.far]\nurl = \"https://far.example/mcp\"\ntoken_variable = \"FAR_TOKEN\"\n"
             "[mcp.old]\nurl = \"https://old.example/sse\"\ntransport = \"sse\"\n");
  const Finished finished =
      parlance({"run", "claude", "go", "--", PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/claude/fake_agent.mjs"}, "",
               {{"FAKE_SCRIPT", "echo"}, {"FAKE_LOG", path("log")}, {"PARLANCE_STATE", path("state")}, {"FAR_TOKEN", "s3cret"}});
  EXPECT_EQ(finished.code, 0) << finished.errors;
  std::istringstream log(read_file(path("log")));
  std::string first;
  std::getline(log, first);
  const json::Value spawned = parsed(first);
  const json::Value config = parsed(text_at(spawned, {"mcp_config"}));
  EXPECT_EQ(json::to_text(at(config, {"mcpServers", "near"})), R"({"type":"stdio","command":"near","args":["--flag"]})");
  EXPECT_EQ(json::to_text(at(config, {"mcpServers", "far"})),
            R"({"type":"http","url":"https://far.example/mcp","headers":{"Authorization":"Bearer s3cret"}})");
  EXPECT_EQ(text_at(config, {"mcpServers", "old", "type"}), "sse");
  EXPECT_THAT(json::to_text(at(config, {"mcpServers", "memory"})), HasSubstr("serve"));
  EXPECT_THAT(json::to_text(at(spawned, {"argv"})), Not(HasSubstr("s3cret"))) << "others can read a command line";
}

TEST_F(Run, ThePromptMayComeOnStdin) {
  const Finished finished =
      parlance({"run", "claude", "--", PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/claude/fake_agent.mjs"},
               "what is\nin here?", {{"FAKE_LOG", path("log")}, {"PARLANCE_STATE", path("state")}});
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(read_file(path("log")), HasSubstr(R"("content":"what is\nin here?")"));
}

// The scripted agent never tells how a tool ended: the refusal itself has to count.
TEST_F(Run, ARefusalIsExitCodeThree) {
  EXPECT_EQ(agent("permission", {"--approve", "all"}).code, 0);
  EXPECT_EQ(answers(), "allow allow ");
  EXPECT_EQ(agent("permission", {"--approve", "none"}).code, 3);
  EXPECT_EQ(answers(), "allow allow deny deny ");
}

TEST_F(Run, UnreadableLinesAreReported) {
  Finished finished = agent("nonjson_only", {});
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.errors, HasSubstr("begins=plain text"));
  bytes = std::to_string(limits::frame_bytes + 1);
  finished = agent("bigline", {});
  EXPECT_EQ(finished.code, 0) << "the turn went on: " << finished.errors;
  EXPECT_THAT(finished.errors, HasSubstr("a line over the size limit"));
  finished = agent("bigresult", {});
  EXPECT_EQ(finished.code, 1) << "nothing more would come";
  EXPECT_THAT(finished.errors, HasSubstr("possibly the end of the turn"));
}

TEST_F(Run, ThePersonAnswersByNumber) {
  const Finished finished = agent("permission", {}, "7\nwhat?\n1\n2\n");
  EXPECT_EQ(finished.code, 3) << finished.errors;
  EXPECT_EQ(answers(), "allow deny ");
  EXPECT_THAT(finished.errors, HasSubstr("1  Allow once"));
  EXPECT_THAT(finished.errors, Not(HasSubstr("Always"))) << "a rule of Claude Code's own is not offered";
  EXPECT_THAT(finished.errors, HasSubstr("rm -rf x"));
  EXPECT_THAT(finished.out, Not(HasSubstr("Allow"))) << "questions are no output";
}

TEST_F(Run, TheEndOfInputIsANo) {
  EXPECT_EQ(agent("permission", {}, "1\n").code, 3);
  EXPECT_EQ(answers(), "allow deny ");
}

TEST_F(Run, ThePersonAnswersQuestions) {
  const Finished finished = agent("question", {}, "2\n1 3\nbecause it rains\n");
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.errors, HasSubstr("Which one?\n  1  Red  warm\n  2  Blue\n"));
  EXPECT_EQ(answers(), "allow ");
  EXPECT_THAT(read_file(path("log")),
              HasSubstr(R"("answers":{"Which one?":"Blue","Which ones?":"Red, Green","And why?":"because it rains"})"));
  EXPECT_EQ(finished.out, "") << "questions are no output";
}

TEST_F(Run, AQuestionWithoutAnAnswerIsRefused) {
  EXPECT_EQ(agent("question", {}, "2\n\n").code, 3);
  EXPECT_EQ(answers(), "deny ");
}

TEST_F(Run, ThePersonAnswersPlans) {
  const Finished finished = agent("plan", {"--mode", "plan"}, "3\nsmaller steps\n1\n");
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.errors, HasSubstr("Carry out this plan?"));
  EXPECT_THAT(finished.errors, HasSubstr("1. step of plan 1"));
  EXPECT_THAT(finished.errors, HasSubstr("1. step of plan 2"));
  EXPECT_THAT(finished.errors, Not(HasSubstr("1. step of plan 3")));
  EXPECT_EQ(answers(), "deny allow ");
  EXPECT_THAT(read_file(path("log")), HasSubstr(R"("message":"smaller steps")"));
  EXPECT_THAT(read_file(path("log")), HasSubstr(R"({"type":"setMode","mode":"default","destination":"session"})"));
}

TEST_F(Run, ARefusedPlanIsExitCodeThree) {
  const Finished finished = agent("plan", {"--mode", "plan"}, "4\n4\n4\n");
  EXPECT_EQ(finished.code, 3) << finished.errors;
  EXPECT_EQ(answers(), "deny deny deny ");
}

TEST_F(Run, EventsAsJsonLines) {
  const Finished finished = agent("echo", {"--json"});
  EXPECT_EQ(finished.code, 0);
  std::istringstream lines(finished.out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_TRUE(json::parse(line)) << line;
  EXPECT_GE(count, 4) << finished.out;
  EXPECT_THAT(finished.out, HasSubstr("hello"));
}

TEST_F(Run, TheExitCodeNamesTheFailure) {
  const Finished crashed = agent("crash", {});
  EXPECT_EQ(crashed.code, 1);
  EXPECT_THAT(crashed.errors, HasSubstr("exited with code 3: boom"));
  EXPECT_THAT(crashed.out, HasSubstr("about to die"));
  EXPECT_EQ(agent("interrupt", {"--timeout", "2"}).code, 5);
  EXPECT_EQ(parlance({"run", "claude", "go", "--", "/no/such/program"}, "", {{"PARLANCE_STATE", path("state")}}).code, 4);
  EXPECT_EQ(parlance({"run", "nobody", "go"}).code, 2);
  EXPECT_EQ(parlance({"run", "claude", "go", "--mode", "wild"}).code, 2);
  EXPECT_EQ(agent("echo", {"--cwd", path("none")}).code, 2);
  EXPECT_EQ(parlance({"run", "claude", "--", PARLANCE_NODE}, " \n").code, 2) << "no prompt";
}

}  // namespace
}  // namespace parlance::test
