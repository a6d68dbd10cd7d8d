// SPDX-License-Identifier: Apache-2.0
// Gemini's CLI at a terminal with a folder as an editor: the CLI finds the editor itself, sees the open file, and the editor
// decides about its change. Its model is tests/peers/models/mock-model. Skipped without node, script or the CLI.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>

#include "tests/support/programs.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;

std::string gemini_cli() {
  const char* peers = std::getenv("PARLANCE_PEERS");
  return (peers != nullptr ? std::string(peers) : std::string(PARLANCE_SOURCE_DIR "/.peers")) +
         "/gemini-cli/node_modules/@google/gemini-cli/bundle/gemini.js";
}

class GeminiInEditor : public ProgramTest {
 protected:
  void SetUp() override {
    if (std::string_view(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node here: apt-get install nodejs, then configure again";
    if (!std::filesystem::exists(gemini_cli())) GTEST_SKIP() << "no " << gemini_cli() << ": scripts/peers.sh install gemini-cli";
    if (!std::filesystem::exists("/usr/bin/script")) GTEST_SKIP() << "no script, which gives the CLI a terminal";
    std::filesystem::create_directories(path("ws"));
    file_ = std::filesystem::canonical(path("ws")).string() + "/main.cpp";
    write_file(file_, "int main() {\n  return 0;\n}\n");
    std::filesystem::create_directories(path(".gemini"));
    write_file(path(".gemini/state.json"), R"({"terminalSetupPromptShown":true})");
    write_file(path(".gemini/settings.json"),
               R"({"ide":{"enabled":true,"hasSeenNudge":true},"security":{"auth":{"selectedType":"gemini-api-key"},)"
               R"("folderTrust":{"enabled":false}},"general":{"enableAutoUpdate":false},)"
               R"("privacy":{"usageStatisticsEnabled":false},"telemetry":{"enabled":false}})");
    model_ = launch({PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/models/mock-model/server.mjs", "--port", "0"});
    until([&] { return !model_->lines.empty(); }, "the model");
    const std::string& said = model_->lines.front();
    terminal_ = {{"XDG_RUNTIME_DIR", folder()},
                 {"TMPDIR", folder()},
                 {"GOOGLE_GEMINI_BASE_URL", said.substr(said.find("http"))},
                 {"GEMINI_API_KEY", "of-a-test"},
                 {"TERM", "xterm-256color"},
                 {"TERM_PROGRAM", "vscode"},
                 {"CI", "false"},                     // if true, the CLI assumes a terminal without a person
                 {"GEMINI_CLI_NO_RELAUNCH", "true"},  // a single process, which ends with its terminal
                 // In a container, the CLI looks for its editor on the host, except over SSH.
                 {"SSH_CONNECTION", "127.0.0.1 1 127.0.0.1 2"}};
  }
  std::unique_ptr<Program> announced(Words words, std::size_t lines) {
    auto program = launch(with_program(std::move(words)), terminal_);
    until([&] { return program->lines.size() == lines || program->ended(); }, "it tells where it is");
    for (const std::string& line : program->lines) {
      const std::size_t at = line.find('=');
      terminal_.emplace_back(line.substr(7, at - 7), line.substr(at + 1));
    }
    return program;
  }
  std::unique_ptr<Program> window(const std::string& decide) {
    return announced({"rehearse", "editor", "--listen", "unix", "--workspace", path("ws"), "--active", "main.cpp", "--selection",
                      "return 0", "--decide", decide},
                     2);
  }
  // Sends the prompt after the CLI reports the editor: before, the CLI asks only in its terminal.
  std::unique_ptr<Program> cli() {
    const std::string command = "cd ws && stty cols 120 rows 40 && exec '" + std::string(PARLANCE_NODE) + "' '" + gemini_cli() +
                                "' --skip-trust -m gemini-2.5-flash";
    auto started = launch({"/usr/bin/script", "-qfec", command, "/dev/null"}, terminal_);
    const auto shows = [&](std::string_view text) {
      return std::ranges::any_of(started->lines, [text](const std::string& line) { return line.contains(text); });
    };
    until_in(*started, [&] { return shows("1 open file"); }, "it shows how many files are open");
    started->stream().try_write("call:write_file {\"file_path\":\"" + file_ +
                                "\",\"content\":\"int main() {\\n  return 42;\\n}\\n\"}");
    until_in(*started, [&] { return shows("return 42"); }, "what is typed");
    loop.run_for(std::chrono::milliseconds(300));  // keys that follow a text at once belong to the text
    started->stream().try_write("\r");
    return started;
  }
  // Prints the terminal's screen after a failure.
  void until_in(Program& cli, const std::function<bool()>& condition, std::string_view what) {
    try {
      until(condition, what);
    } catch (const std::runtime_error& late) {
      std::string shown;
      for (const std::string& line : cli.lines) shown += line + "\n";
      throw std::runtime_error(std::string(late.what()) + "; its terminal:\n" + shown);
    }
  }

  std::string file_;
  Variables terminal_;
  std::unique_ptr<Program> model_;
};

TEST_F(GeminiInEditor, ItSeesWhatIsOpenAndItsChangeIsAcceptedThere) {
  const auto editor = window("accept");
  const auto served = announced({"editor", "serve"}, 3);
  const auto gemini = cli();
  until_in(*gemini, [&] { return read_file(file_).contains("return 42"); }, "the change is written");
  EXPECT_THAT(editor->errors, HasSubstr(R"("method":"openDiff")"));
  EXPECT_THAT(editor->errors, HasSubstr("accepted: take this change of " + file_));
}

TEST_F(GeminiInEditor, ItsChangeIsRejectedThere) {
  const auto editor = window("reject");
  const auto served = announced({"editor", "serve"}, 3);
  const auto gemini = cli();
  until_in(*gemini, [&] { return editor->errors.contains(R"("outcome":"rejected")"); }, "the person rejects");
  until([&] { return !gemini->lines.empty(); }, "it goes on");
  EXPECT_THAT(read_file(file_), HasSubstr("return 0"));
}

}  // namespace
}  // namespace parlance::test
