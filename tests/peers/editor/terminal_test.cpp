// SPDX-License-Identifier: Apache-2.0
// parlance chat at a terminal (script(1) makes one), in a window and without.
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include <gmock/gmock.h>

#include "tests/support/programs.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* hint = "stdin is a terminal, which cannot carry the editor bridge";

class EditorTerminal : public ProgramTest {
 protected:
  std::unique_ptr<Program> chat(Variables set) {
    set.emplace_back("TERM", "dumb");
    const std::string command = parlance_program() + " chat parlance --model rehearsal --cwd " + folder();
    return launch({"/usr/bin/script", "-qec", command, "/dev/null"}, std::move(set));
  }
  std::unique_ptr<Program> open_window(const Words& more = {}) {
    Words words{PARLANCE_NODE, std::string(PARLANCE_SOURCE_DIR) + "/tests/peers/editor/window.mjs", path("editor.sock")};
    words.insert(words.end(), more.begin(), more.end());
    auto window = launch(words);
    until_shown(*window, "listening");
    return window;
  }
  static void type(Program& terminal, std::string_view keys) { terminal.stream().try_write(keys); }
  static bool shows(const Program& terminal, std::string_view text) {
    return std::ranges::any_of(terminal.lines, [&](const std::string& line) { return line.contains(text); });
  }
  void until_shown(const Program& terminal, std::string_view text) {
    until([&] { return shows(terminal, text); }, text);
  }
};

TEST_F(EditorTerminal, ATerminalOutsideOfAWindowCarriesNoBridgeAndSaysSo) {
  const auto terminal = chat({{"VSCODE_INTEGRATION", "true"}});
  until_shown(*terminal, "/help lists");
  EXPECT_TRUE(shows(*terminal, hint));
  type(*terminal, "/testvs\r");
  until_shown(*terminal, "Mode: Mock");
  type(*terminal, "/exit\r");
  until([&] { return terminal->ended(); }, "it ends");
  EXPECT_FALSE(shows(*terminal, "jsonrpc"));
}

TEST_F(EditorTerminal, AWindowThatHangsKeepsNobodyFromTalking) {
  if (std::string(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node";
  const auto window = open_window({"mute"});
  const auto begun = std::chrono::steady_clock::now();
  const auto terminal = chat({{"PARLANCE_EDITOR_SOCKET", "unix:" + path("editor.sock")}});
  until_shown(*terminal, "/help lists");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(8));
  EXPECT_TRUE(shows(*terminal, "The editor's window is not there"));
  type(*terminal, "/exit\r");
  until([&] { return terminal->ended(); }, "it ends");
}

TEST_F(EditorTerminal, LinesMentionedInTheEditorAreSentWithTheNextPromptOnce) {
  if (std::string(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node";
  const auto window = open_window({"mention"});
  const Words agent{"chat", "acp", "--", PARLANCE_NODE, std::string(PARLANCE_SOURCE_DIR) + "/tests/peers/editor/acp_agent.mjs"};
  const Finished done = run(with_program(agent), "what were you told?\nand now, what were you told?\n",
                            {{"PARLANCE_EDITOR_SOCKET", "unix:" + path("editor.sock")}});
  EXPECT_THAT(done.errors, HasSubstr("(main.cpp:2-3 is added to the next message)")) << done.out;
  const std::size_t second = done.out.find("and now");
  ASSERT_NE(second, std::string::npos) << done.out << done.errors;
  EXPECT_THAT(done.out.substr(0, second), HasSubstr("/w/main.cpp, lines 2 to 3:\nlines 2 to 3\n"));
  EXPECT_THAT(done.out.substr(second), Not(HasSubstr("main.cpp")));
}

TEST_F(EditorTerminal, CtrlCWithdrawsARequestInTheEditor) {
  if (std::string(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node";
  const auto window = open_window();
  const auto terminal = chat({{"VSCODE_INTEGRATION", "true"}, {"PARLANCE_EDITOR_SOCKET", "unix:" + path("editor.sock")}});
  until_shown(*terminal, "/help lists");
  EXPECT_FALSE(shows(*terminal, hint));
  EXPECT_TRUE(shows(*terminal, "✓ RPC client started"));
  type(*terminal, "hello\r");  // the scripted agent shows itself, and wants to leave a note
  until_shown(*window, "openDiff " + path("parlance-notes.md"));
  until_shown(*terminal, "(the editor asks: ");
  type(*terminal, "\x03");
  until_shown(*window, "cancel ");
  until_shown(*terminal, "(stopped)");
  type(*terminal, "/exit\r");
  until([&] { return terminal->ended(); }, "it ends");
  EXPECT_EQ(read_file(path("parlance-notes.md")), "");
}

}  // namespace
}  // namespace parlance::test
