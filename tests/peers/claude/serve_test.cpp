// SPDX-License-Identifier: Apache-2.0
// parlance serve-claude with a scripted Claude Code behind (fake_agent.mjs): the parts of the command line that reach Claude
// Code.
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/programs.h"

namespace parlance::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class ServeClaude : public ProgramTest {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
  }
  // A prompt of a host that started us with these flags.
  Finished host(Words flags, const std::string& agent = "claude") { return says(the_prompt, std::move(flags), agent); }
  // A host that sends all these lines and closes the input.
  Finished says(const std::string& lines, Words flags = {}, const std::string& agent = "claude") {
    Words words{"--output-format", "stream-json", "--input-format", "stream-json", "--verbose"};
    words.insert(words.end(), flags.begin(), flags.end());
    return parlance(std::move(words), lines,
                    {{"FAKE_LOG", path("log")},
                     {"FAKE_INITIALIZED", R"({"commands":[{"name":"compact"}],"unheardOf":{"a":1}})"},
                     {"FAKE_LOST", lost},
                     {"PARLANCE_STATE", path("state")},
                     {"PARLANCE_SERVE_AGENT", agent},
                     {"PARLANCE_CLAUDE_COMMAND", command}});
  }
  static std::string asks(std::string_view subtype, std::string_view members = "") {
    return R"({"type":"control_request","request_id":")" + std::string(subtype) + R"(","request":{"subtype":")" +
           std::string(subtype) + "\"" + (members.empty() ? "" : ",") + std::string(members) + "}}\n";
  }
  // The answer to a request of `asks`.
  static json::Value answer(const Finished& finished, std::string_view subtype) {
    std::istringstream lines(finished.out);
    for (std::string line; std::getline(lines, line);)
      if (const json::Value message = parsed(line); text_at(message, {"response", "request_id"}) == subtype)
        return at(message, {"response"});
    return {};
  }
  // The lines received by the Claude Code behind us, and its results.
  std::vector<json::Value> records() const {
    std::vector<json::Value> all;
    std::istringstream log(read_file(path("log")));
    for (std::string line; std::getline(log, line);) all.push_back(parsed(line));
    return all;
  }
  // The command line of the Claude Code behind us.
  Words words() const {
    Words all;
    for (const json::Value& record : records()) {
      if (text_at(record, {"event"}) != "spawned") continue;
      const json::Value arguments = at(record, {"argv"});
      for (const json::Value& word : *arguments.array()) all.push_back(*word.text());
    }
    return all;
  }

  static constexpr const char* the_prompt = R"({"type":"user","message":{"role":"user","content":"go"}})"
                                            "\n";
  std::string lost{};  // not empty: the session to resume
  std::string command = PARLANCE_NODE " " PARLANCE_SOURCE_DIR "/tests/peers/claude/fake_agent.mjs";
};

TEST_F(ServeClaude, FlagsForClaudeCodeArePassedAsOftenAsGiven) {
  const Finished finished = host({"--add-dir=/a", "--add-dir", "/b", "/c", "--tools=", "--effort", "high", "--betas", "one,two",
                                  "--unheard-of=1", "--agents={\"x\":{}}", "--allowedTools", "Bash(git log:*)", "--max-turns=7",
                                  "--plugin-dir=/p", "--plugin-dir=/q", "--permission-mode", "acceptEdits"});
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_THAT(finished.out, HasSubstr(R"("subtype":"success")"));
  const Words given = words();
  for (const char* word :
       {"--add-dir=/a", "--add-dir=/b", "--add-dir=/c", "--tools=", "--effort=high", "--betas=one,two", "--unheard-of=1",
        "--agents={\"x\":{}}", "--allowedTools=Bash(git log:*)", "--plugin-dir=/p", "--plugin-dir=/q"})
    EXPECT_THAT(given, Contains(word));
  EXPECT_EQ(std::ranges::count(given, "--max-turns"), 1) << "we say it ourselves";
  EXPECT_THAT(given, Not(Contains("--max-turns=7")));
  EXPECT_EQ(std::ranges::count(given, "--permission-mode"), 1);
}

TEST_F(ServeClaude, ConfiguredServersReachClaudeCodeUnlessTheHostForbidsThem) {
  std::filesystem::create_directories(path(".config/parlance"));
  write_file(path(".config/parlance/parlance.toml"), "[mcp.near]\ncommand = [\"near\"]\n[mcp.both]\ncommand = [\"ours\"]\n");
  const char* const theirs = R"({"mcpServers":{"both":{"command":"theirs","env":{"KEY":"s3cret"}}}})";
  const auto config_of = [this](Words flags) {
    EXPECT_EQ(host(std::move(flags)).code, 0);
    std::string config;
    for (const json::Value& record : records())
      if (text_at(record, {"event"}) == "spawned") {
        config = text_at(record, {"mcp_config"});
        EXPECT_THAT(json::to_text(at(record, {"argv"})), Not(HasSubstr("s3cret"))) << "of the host's servers neither";
      }
    return parsed(config);
  };
  const json::Value all = config_of({"--mcp-config", theirs});
  EXPECT_EQ(text_at(all, {"mcpServers", "near", "command"}), "near");
  EXPECT_EQ(text_at(all, {"mcpServers", "both", "command"}), "theirs");
  std::filesystem::remove(path("log"));
  const json::Value strict = config_of({"--mcp-config", theirs, "--strict-mcp-config"});
  EXPECT_TRUE(at(strict, {"mcpServers", "near"}).is_null());
  EXPECT_EQ(text_at(strict, {"mcpServers", "both", "command"}), "theirs");
}

TEST_F(ServeClaude, ASessionWithoutStorageIsNotKept) {
  EXPECT_EQ(host({"--no-session-persistence"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(path("state/claude-sessions")));
  EXPECT_THAT(words(), Contains("--no-session-persistence"));
  EXPECT_EQ(host({}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("state/claude-sessions")));
}

TEST_F(ServeClaude, TheHostsRequestsReachClaudeCodeAndItsAnswersReturn) {
  const Finished finished = says(
      asks("initialize",
           R"("hooks":{"Stop":[{"hookCallbackIds":["s"],"unheardOf":[1]}]},"unheardOf":{"a":[{}]},"systemPrompt":["a text"],)"
           R"("disallowedTools":["Bash"])") +
      asks("mcp_status") + asks("get_context_usage", R"("x":1)") + asks("set_model", R"("model":"opus")"));
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_EQ(
      json::to_text(at(answer(finished, "initialize"), {"response"})),
      R"({"commands":[{"name":"compact"}],"agents":[],"output_style":"default","available_output_styles":["default"],"models":[],)"
      R"("account":{},"hook_on_failure_supported":true,"unheardOf":{"a":1},"disallowed_tools_applied":true})");
  for (const char* asked : {"mcp_status", "get_context_usage", "set_model"})
    EXPECT_EQ(text_at(answer(finished, asked), {"subtype"}), "success") << "before any prompt: " << finished.out;
  EXPECT_THAT(words(), Contains("--disallowedTools=Bash"));
  std::vector<std::string> requests;
  std::string how_it_ended;
  for (const json::Value& record : records()) {
    if (text_at(record, {"msg", "type"}) == "control_request") requests.push_back(json::to_text(at(record, {"msg", "request"})));
    EXPECT_NE(text_at(record, {"msg", "type"}), "user");
    if (text_at(record, {"dir"}) == "meta") how_it_ended = json::to_text(record);
  }
  EXPECT_THAT(requests,
              ElementsAre(R"({"subtype":"initialize","hooks":{"Stop":[{"hookCallbackIds":["s"],"unheardOf":[1]}],"PreToolUse":)"
                          R"([{"hookCallbackIds":["parlance_hook_gate"],"timeout":604800,"onFailure":"block"}]},)"
                          R"("unheardOf":{"a":[{}]},"systemPrompt":["a text"]})",
                          R"({"subtype":"mcp_status"})", R"({"subtype":"get_context_usage","x":1})",
                          R"({"subtype":"set_model","model":"opus"})"));
  EXPECT_THAT(how_it_ended, HasSubstr(R"("event":"exit","code":0)")) << "politely, although there was no prompt";
  EXPECT_TRUE(std::filesystem::is_empty(path("state/claude-sessions"))) << "and nothing of it is left to continue with";
}

TEST_F(ServeClaude, TheFirstPromptGoesToTheProcessOfInitialize) {
  const Finished finished = says(asks("initialize", R"("appendSystemPrompt":"more")") + the_prompt, {"--max-turns=7"});
  EXPECT_EQ(finished.code, 0) << finished.errors;
  EXPECT_EQ(text_at(answer(finished, "initialize"), {"subtype"}), "success");
  EXPECT_THAT(finished.out, HasSubstr(R"("subtype":"success")"));
  EXPECT_EQ(std::ranges::count(words(), "--max-turns"), 1) << "it was started once";
  EXPECT_FALSE(std::filesystem::is_empty(path("state/claude-sessions")));
}

TEST_F(ServeClaude, AMissingSessionIsReplacedAtInitialize) {
  const std::string session = "11111111-2222-4333-8444-555555555555";
  EXPECT_EQ(says(the_prompt, {"--session-id", session}).code, 0);
  lost = "yes";
  for (const bool prompted : {false, true}) {
    const Finished finished = says(asks("initialize") + (prompted ? the_prompt : ""), {"--resume", session});
    EXPECT_EQ(text_at(answer(finished, "initialize"), {"subtype"}), "success") << finished.out << finished.errors;
    EXPECT_EQ(finished.out.contains(R"("subtype":"success","is_error":false)"), prompted) << finished.out;
  }
  EXPECT_EQ(std::ranges::count(words(), "--resume"), 2) << "each was started without it then";
  EXPECT_TRUE(std::filesystem::exists(path("state/claude-sessions/" + session))) << "what was said is still there";
}

TEST_F(ServeClaude, AFailedStartIsTheAnswerToInitialize) {
  const auto why = [&](std::string run) {
    command = std::move(run);
    const Finished finished = says(asks("initialize") + the_prompt);
    EXPECT_EQ(text_at(answer(finished, "initialize"), {"subtype"}), "error") << finished.out << finished.errors;
    std::string reason = text_at(answer(finished, "initialize"), {"error"});
    EXPECT_THAT(finished.out, HasSubstr(R"("is_error":true)")) << "the prompt fails for the same reason";
    return reason;
  };
  EXPECT_EQ(why("/no/such/claude"),
            "no program \"/no/such/claude\": install Claude Code, or say where it is with --claude-command");
  EXPECT_THAT(why("/bin/sh -c 'echo no access: sign in with claude /login >&2; exit 1'"),
              HasSubstr("sign in with claude /login"));
  EXPECT_THAT(why("/bin/sh -c 'exit 3'"), HasSubstr("3"));
}

TEST_F(ServeClaude, AMissingFolderIsReported) {
  const Finished finished = host({"--add-dir=/no/such/folder"}, "parlance");
  EXPECT_EQ(finished.code, 1);
  EXPECT_THAT(finished.errors, HasSubstr("--add-dir: /no/such/folder is not a folder"));
}

}  // namespace
}  // namespace parlance::test
