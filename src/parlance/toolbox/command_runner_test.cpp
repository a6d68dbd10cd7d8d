// SPDX-License-Identifier: Apache-2.0
// Commands of an agent's tool as real processes.
#include "parlance/toolbox/command_runner.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "parlance/async/file_watch.h"
#include "parlance/async/scope.h"
#include "parlance/store/test_folder.h"
#include "parlance/workspace/limits.h"
#include "tests/support/programs.h"

namespace parlance::toolbox {
namespace {

using namespace std::chrono_literals;
using parlance::test::long_enough;
using parlance::test::Watched;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class CommandRunner : public parlance::test::ChildProcessTest {
 protected:
  Result<workspace::CommandResult> run(std::string command, std::chrono::milliseconds timeout = long_enough) {
    return get(runner->run({.command = std::move(command), .folder = folder.path(), .timeout = timeout},
                           [this](std::string_view piece) { pieces.emplace_back(piece); }));
  }
  std::string streamed() const {
    std::string all;
    for (const std::string& piece : pieces) all += piece;
    return all;
  }
  // Runs the loop until the command has written its number into the folder.
  pid_t number_in(const std::string& file) {
    const FileWatch watch(loop, folder.path(), file, [] {});
    std::string text;
    loop.run_until([&] { return (text = parlance::test::read_file(folder.path() + "/" + file)).ends_with('\n'); });
    return static_cast<pid_t>(std::stoi(text));
  }

  store::TestFolder folder;
  std::unique_ptr<workspace::CommandRunner> runner = command_runner(loop);
  std::vector<std::string> pieces;
};

TEST_F(CommandRunner, BothOutputsComeInOrderWithTheExitStatus) {
  const auto result = run("pwd; echo out; echo err >&2; echo end; exit 3");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->output, std::filesystem::canonical(folder.path()).string() + "\nout\nerr\nend\n");
  EXPECT_EQ(result->exit_status, 3);
  EXPECT_EQ(result->signal, std::nullopt);
  EXPECT_FALSE(result->timed_out);
  EXPECT_FALSE(result->cut);
  EXPECT_EQ(streamed(), result->output);
}

TEST_F(CommandRunner, StdinIsEmptyAndASignalIsReported) {
  EXPECT_EQ(run("cat; read line || echo nothing to read")->output, "nothing to read\n");
  const auto killed = run("kill -SEGV $$");
  ASSERT_TRUE(killed);
  EXPECT_EQ(killed->signal, SIGSEGV);
  EXPECT_EQ(killed->exit_status, std::nullopt);
}

TEST_F(CommandRunner, AFloodKeepsItsBeginningAndItsEnd) {
  const auto result = run("echo the beginning; yes 0123456789 | head -c 3000000; echo; echo the end");
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->cut);
  EXPECT_LE(result->output.size(), limits::command_output_bytes + 100);
  EXPECT_THAT(result->output, StartsWith("the beginning\n"));
  EXPECT_THAT(result->output, EndsWith("the end\n"));
  EXPECT_THAT(result->output, HasSubstr("bytes left out"));
  EXPECT_LE(streamed().size(), limits::command_output_bytes / 2);
  EXPECT_THAT(result->output, StartsWith(streamed())) << "the streamed output is a prefix of the stored output";
}

TEST_F(CommandRunner, BinaryOutputIsReportedAsText) {
  const auto result = run(R"(printf 'a\377\376b\303'; printf '\251c\n')");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output, "a\uFFFD\uFFFDb\u00E9c\n");
  EXPECT_EQ(streamed(), result->output);
}

TEST_F(CommandRunner, TheTimeoutEndsTheWholeGroup) {
  const auto result = run("sleep 1000 & echo $! > child; echo begun; wait", 300ms);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->timed_out);
  EXPECT_EQ(result->exit_status, std::nullopt);
  EXPECT_EQ(result->output, "begun\n");
  EXPECT_TRUE(Watched(number_in("child")).ends_within());
  EXPECT_EQ(workspace::outcome_of(*result).state, hub::ToolEndState::failed);
}

TEST_F(CommandRunner, TheTimeoutCoversACommandWithAClosedOutput) {
  const auto result = run("exec >/dev/null 2>&1; echo $$ > child; exec sleep 1000", 300ms);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->timed_out);
  EXPECT_TRUE(Watched(number_in("child")).ends_within());
}

TEST_F(CommandRunner, DestroyingTheTaskKillsTheGroup) {
  Scope scope(loop);
  const auto forget = [&]() -> Task<void> {
    static_cast<void>(co_await runner->run(
        {.command = "sleep 1000 & echo $! > child; wait", .folder = folder.path(), .timeout = long_enough}, {}));
  };
  scope.start(forget());
  const Watched child(number_in("child"));
  ASSERT_TRUE(child.runs());
  scope.cancel();
  EXPECT_TRUE(child.ends_within());
}

TEST_F(CommandRunner, SecretsAreNotInItsEnvironment) {
  const std::vector<std::pair<const char*, bool>> variables{
      {"OPENAI_API_KEY", false}, {"GITHUB_TOKEN", false},       {"AWS_SECRET_ACCESS_KEY", false}, {"CLIENT_SECRET", false},
      {"DB_PASSWORD", false},    {"PARLANCE_TOKEN", false},     {"PARLANCE_AGENT_SOCKET", false}, {"API_KEY", false},
      {"TOKEN", false},          {"TEST_PLAIN_VARIABLE", true}, {"TEST_TOKEN_COUNT", true}};
  for (const auto& [name, kept] : variables) ::setenv(name, "the value of it", 1);
  const auto result = run("env");
  for (const auto& [name, kept] : variables) ::unsetenv(name);
  ASSERT_TRUE(result);
  for (const auto& [name, kept] : variables)
    EXPECT_EQ(result->output.find("\n" + std::string(name) + "=") != std::string::npos ||
                  result->output.starts_with(std::string(name) + "="),
              kept)
        << name;
  EXPECT_THAT(result->output, HasSubstr("PATH="));
}

TEST_F(CommandRunner, APlainCommandHasNoShellAndOnlyItsOwnEnvironment) {
  ::setenv("TEST_PLAIN_VARIABLE", "ours", 1);
  const auto plain = [&](std::vector<std::string> words) {
    return get(
        runner->run({.command = "echo not this",
                     .plain = workspace::PlainCommand{.words = std::move(words), .environment = {{"PATH", "/bin"}, {"A", "b c"}}},
                     .folder = folder.path(),
                     .timeout = long_enough},
                    {}));
  };
  const auto words = plain({"/bin/echo", "a  b", "$(touch made)", "'", "*", ";", "touch", "made"});
  EXPECT_EQ(words->output, "a  b $(touch made) ' * ; touch made\n");
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/made"));
  const auto variables = plain({"/usr/bin/env"});
  ::unsetenv("TEST_PLAIN_VARIABLE");
  EXPECT_THAT(variables->output, HasSubstr("A=b c\n"));
  EXPECT_EQ(variables->output.find("TEST_PLAIN_VARIABLE"), std::string::npos);
  EXPECT_EQ(plain({"/bin/cat", "nothing"})->exit_status, 1);
  EXPECT_THAT(plain({"/bin/cat", "nothing"})->output, HasSubstr("No such file")) << "stderr is streamed as well";
}

TEST_F(CommandRunner, AMissingFolderIsAnError) {
  const auto result = get(runner->run({.command = "true", .folder = folder.path() + "/gone", .timeout = long_enough}, {}));
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("gone"));
}

}  // namespace
}  // namespace parlance::toolbox
