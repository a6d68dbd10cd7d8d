// SPDX-License-Identifier: Apache-2.0
// The real Claude Code with a folder as an editor: its CLI at a terminal, which finds the editor itself, and behind a run with
// the editor's tools. The model is a script in the prompt. Skipped without node, script or the CLI.
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>

#include "tests/support/programs.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

std::string claude_cli() {
  const char* peers = std::getenv("PARLANCE_PEERS");
  return (peers != nullptr ? std::string(peers) : std::string(PARLANCE_SOURCE_DIR "/.peers")) +
         "/claude-cli/node_modules/@anthropic-ai/claude-code/cli.js";
}
std::string step(std::string_view tool, std::string_view input) {
  return "@mock tool {\"name\":\"" + std::string(tool) + "\",\"input\":" + std::string(input) + "}\n";
}

class ClaudeInEditor : public ProgramTest {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
    if (!std::filesystem::exists(claude_cli())) GTEST_SKIP() << "no " << claude_cli() << ": scripts/peers.sh install claude-cli";
    if (!std::filesystem::exists("/usr/bin/script")) GTEST_SKIP() << "no script, which gives the CLI a terminal";
    std::filesystem::create_directories(path("ws"));
    file_ = std::filesystem::canonical(path("ws")).string() + "/main.cpp";
    write_file(file_, "int main() {\n  return 0;\n}\n");
    model_ = launch({PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/models/mock-anthropic/server.mjs", "--port", "0"});
    until([&] { return !model_->lines.empty(); }, "the model");
    terminal_ = {{"XDG_RUNTIME_DIR", folder()},
                 {"TMPDIR", folder()},
                 {"ANTHROPIC_BASE_URL", text_at(parsed(model_->lines.front()), {"url"})},
                 {"ANTHROPIC_API_KEY", "sk-of-a-test-00000000"},
                 {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"},
                 {"DISABLE_AUTOUPDATER", "1"},
                 {"TERM", "xterm-256color"}};
  }
  // A window, with its printed variables in the environment of its terminals.
  std::unique_ptr<Program> window(const std::string& decide) {
    return announced({"rehearse", "editor", "--listen", "unix", "--workspace", path("ws"), "--active", "main.cpp", "--selection",
                      "return 0", "--decide", decide},
                     2);
  }
  std::unique_ptr<Program> announced(Words words, std::size_t lines) {
    auto program = launch(with_program(std::move(words)), terminal_);
    until([&] { return program->lines.size() == lines || program->ended(); }, "it tells where it is");
    EXPECT_THAT(program->lines, SizeIs(lines)) << program->errors;
    for (const std::string& line : program->lines) {
      const std::size_t at = line.find('=');
      terminal_.emplace_back(line.substr(7, at - 7), line.substr(at + 1));
    }
    return program;
  }
  // The earlier answers of a person who uses the CLI in this folder.
  void settle_in() const {
    write_file(path(".claude.json"),
               R"({"hasCompletedOnboarding":true,"theme":"dark","autoInstallIdeExtension":false,)"
               R"("customApiKeyResponses":{"approved":["k-of-a-test-00000000"],"rejected":[]},"projects":{")" +
                   std::filesystem::path(file_).parent_path().string() +
                   R"(":{"hasTrustDialogAccepted":true,"hasCompletedProjectOnboarding":true}}})");
  }
  std::unique_ptr<Program> cli(const std::string& prompt) {
    write_file(path("prompt"), prompt);
    const std::string command = "cd ws && stty cols 120 rows 40 && exec '" + std::string(PARLANCE_NODE) + "' '" + claude_cli() +
                                "' --ide --debug-file '" + path("debug") + "' \"$(cat ../prompt)\"";
    return launch({"/usr/bin/script", "-qfec", command, "/dev/null"}, terminal_);
  }
  std::string change() const {
    return "change it\n" + step("Read", R"({"file_path":")" + file_ + R"("})") +
           step("Edit", R"({"file_path":")" + file_ + R"(","old_string":"return 0","new_string":"return 42"})") +
           "@mock text {\"text\":\"all done\"}\n";
  }

  std::string file_;
  Variables terminal_;
  std::unique_ptr<Program> model_;
};

TEST_F(ClaudeInEditor, ItsChangeIsAcceptedInTheEditor) {
  settle_in();
  const auto editor = window("accept");
  const auto served = announced({"editor", "serve"}, 3);
  const std::string locks = path(".claude/ide");
  ASSERT_EQ(std::distance(std::filesystem::directory_iterator(locks), {}), 1);
  EXPECT_EQ(mode_of(std::filesystem::directory_iterator(locks)->path().string()), 0600U);
  const auto claude = cli(change());
  until_file(file_, [&] { return read_file(file_).contains("return 42"); }, "the change is written");
  EXPECT_THAT(editor->errors, HasSubstr(R"("method":"openDiff")"));
  EXPECT_THAT(editor->errors, HasSubstr(R"("method":"getSelection")")) << "a new client receives the selection";
  const auto closed = [&] { return read_file(path("debug")).contains("Tool 'close_tab' completed successfully"); };
  until_file(path("debug"), closed, "its tab is closed");
  EXPECT_THAT(read_file(path("debug")), HasSubstr("Successfully connected (transport: ws-ide)"));
  served->child().signal_group(SIGTERM);
  until([&] { return served->ended(); }, "it ends");
  EXPECT_TRUE(std::filesystem::is_empty(locks)) << "the lock file goes";
}

TEST_F(ClaudeInEditor, ItsChangeIsRejectedInTheEditor) {
  settle_in();
  const auto editor = window("reject");
  const auto served = announced({"editor", "serve"}, 3);
  const auto claude = cli(change());
  until([&] { return editor->errors.contains(R"("outcome":"rejected")"); }, "the person rejects");
  const auto tab_closed = [&] { return read_file(path("debug")).contains("Tool 'close_tab' completed successfully"); };
  until_file(path("debug"), tab_closed, "the result");
  EXPECT_THAT(read_file(file_), HasSubstr("return 0"));
}

TEST_F(ClaudeInEditor, BehindARunItHasTheToolsOfTheEditor) {
  const auto editor = window("accept");
  terminal_.emplace_back("PARLANCE_CLAUDE_COMMAND", std::string(PARLANCE_NODE) + " " + claude_cli());
  const Finished done =
      run(with_program({"run", "claude", "look\n" + step("mcp__editor__editor_selection", "{}") + "@mock echo {}\n", "--cwd",
                        path("ws"), "--approve", "all"}),
          "", terminal_);
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.out, HasSubstr("return 0")) << done.errors;
  EXPECT_THAT(editor->errors, HasSubstr(R"("method":"getSelection")"));
}

}  // namespace
}  // namespace parlance::test
