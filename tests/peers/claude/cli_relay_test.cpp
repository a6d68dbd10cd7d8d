// SPDX-License-Identifier: Apache-2.0
// The real agent SDK drives parlance serve-claude, behind which the real Claude Code answers (sdk_relay_host.mjs).
#include <initializer_list>

#include "tests/peers/claude/cli_fixture.h"

namespace parlance::service {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// What a part of sdk_relay_host.mjs tries, and says "ok" to.
using Checks = std::initializer_list<std::string_view>;

class ClaudeCliRelay : public ClaudeCli {
 protected:
  void play(const std::string& part, Checks checks);
};

void ClaudeCliRelay::play(const std::string& part, Checks checks) {
  const std::string sdk = peers_folder() + "/claude-sdk/node_modules/@anthropic-ai/claude-agent-sdk";
  if (!std::filesystem::exists(sdk)) GTEST_SKIP() << "no " << sdk << ": scripts/peers.sh install claude-sdk";
  const claude::Launch how = launch();
  std::string command;
  for (const std::string& word : how.command) command += (command.empty() ? "'" : " '") + word + "'";
  ChildSettings settings{.command = {PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/claude/sdk_relay_host.mjs"},
                         .folder = how.folder};
  settings.unset = {"PARLANCE_*", "OPENCLAW_*"};
  settings.set = how.environment;
  for (const auto& [name, value] : {std::pair<std::string, std::string>{"SDK", sdk},
                                    {"PARLANCE", PARLANCE_BINARY_DIR "/bin/parlance"},
                                    {"WORK", how.folder},
                                    {"PART", part},
                                    {"PARLANCE_STATE", base + "/state"},
                                    {"PARLANCE_SERVE_AGENT", "claude"},
                                    {"PARLANCE_CLAUDE_COMMAND", command}})
    settings.set.emplace_back(name, value);
  std::string errors;
  settings.on_stderr_line = [&](BytesView line) { errors += std::string(line) + "\n"; };
  auto host = ChildProcess::start(loop, std::move(settings));
  ASSERT_TRUE(host) << host.error().message;
  const auto stream = (*host)->take_stream();
  const auto read = [&]() -> Task<std::string> {
    std::string all;
    for (;;) {
      std::string line = co_await first_line(*stream);
      if (line.empty()) co_return all;
      all += line + "\n";
    }
  };
  const std::string out = loop.block_on(read());
  for (const std::string_view check : checks) EXPECT_THAT(out, HasSubstr("ok " + std::string(check) + "\n"));
  EXPECT_THAT(out, Not(HasSubstr("not ok")));
  EXPECT_THAT(out, HasSubstr("end\n"));
  until([&] { return processes_with("ANTHROPIC_BASE_URL", url).empty(); }, "the end of all that was started");
  if (HasFailure()) ADD_FAILURE() << out << errors;
}

TEST_F(ClaudeCliRelay, TellsTheSdkWhatThereIsBeforeAnyPromptAndWhyItCannotStart) {
  play("start", {"told_before_a_prompt", "mcp_status_before_a_prompt", "requests_before_a_prompt", "set_before_a_prompt",
                 "unused_session", "told_when_resumed", "missing_program", "unknown_flag", "not_signed_in"});
}

TEST_F(ClaudeCliRelay, AnswersTheSdkWithTheHostsMcpServersHooksAndOptions) {
  play("options", {"sdk_mcp", "asked_about", "stdio_mcp", "servers_are_told", "system_prompt", "append", "images", "max_turns",
                   "add_dir", "tools", "its_own_words", "structured_output", "max_budget", "hooks"});
}

TEST_F(ClaudeCliRelay, InterruptsForksAndResumesSessionsForTheSdk) {
  play("sessions", {"interrupt", "partial_messages", "context_usage", "fork", "fork_at_a_message", "resume_at_a_message",
                    "resume_at_an_unknown_message"});
}

TEST_F(ClaudeCliRelay, AsksTheSdkAndKeepsToItsAnswers) {
  play("asks", {"asked_by_hook", "asked_by_hook_in_bypass", "suggestions", "input_of_the_host", "denied_and_stopped"});
}

}  // namespace
}  // namespace parlance::service
