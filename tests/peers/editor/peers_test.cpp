// SPDX-License-Identifier: Apache-2.0
// Agents in Python and Node run behind `parlance rehearse editor`. An editor in Node starts a program with our client. Other programs find
// the window of a rehearsed editor by its socket.
#include <csignal>
#include <memory>
#include <string>
#include <utility>

#include <gmock/gmock.h>

#include "tests/support/programs.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class EditorPeers : public ProgramTest {
 protected:
  static std::string peer(const std::string& name) { return std::string(PARLANCE_SOURCE_DIR) + "/tests/peers/editor/" + name; }
  void SetUp() override { write_file(path("main.cpp"), "int main() {\n  return 0; // é\n}\n"); }
  Finished rehearse(std::string runtime, const std::string& agent, Words flags = {}) {
    Words words{"rehearse", "editor", "--workspace", folder(), "--active", "main.cpp", "--selection", "return 0"};
    words.insert(words.end(), flags.begin(), flags.end());
    words.insert(words.end(), {"--", std::move(runtime), peer(agent)});
    return parlance(words, "explain\n");
  }
};

TEST_F(EditorPeers, AnAgentInPythonIsServed) {
  if (std::string(PARLANCE_PYTHON).empty()) GTEST_SKIP() << "no python3";
  const Finished done = rehearse(PARLANCE_PYTHON, "agent.py");
  ASSERT_EQ(done.code, 0) << done.errors;
  for (const char* line : {"python agent\n", "file cpp 4 'int main() {", R"("text": "return 0"})", "diff Diff shown: T\n",
                           "pings 64\n", "apply Applied changes to ", "again Old string not found in file\n", "'code': -32602",
                           "unknown -32601\n", "typed 'explain'\n"})
    EXPECT_THAT(done.out, HasSubstr(line));
  EXPECT_EQ(read_file(path("main.cpp")), "int main() {\n  return $&; // é\n}\n");
  EXPECT_THAT(done.errors, HasSubstr(R"(< {"jsonrpc": "2.0", "id": 1, "method": "getActiveFile")"));
  EXPECT_THAT(done.errors, HasSubstr(R"(> {"jsonrpc":"2.0","id":1,"result":{"success":true,"file":)"));
  EXPECT_THAT(done.out, Not(HasSubstr("jsonrpc")));
}

TEST_F(EditorPeers, AChangeRejectedByThePersonIsNotDone) {
  if (std::string(PARLANCE_PYTHON).empty()) GTEST_SKIP() << "no python3";
  const Finished done = rehearse(PARLANCE_PYTHON, "agent.py", {"--decide", "reject", "--quiet"});
  ASSERT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.out, HasSubstr("again Rejected by user\n"));
  EXPECT_EQ(read_file(path("main.cpp")), "int main() {\n  return 0; // é\n}\n");
  EXPECT_THAT(done.errors, Not(HasSubstr("jsonrpc")));
}

TEST_F(EditorPeers, AnAgentInNodeIsServed) {
  if (std::string(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node";
  write_file(path("log"), "main.cpp:3:3: error: no [-Wno]\nmain.cpp:3:3: warning: well\n");
  const Finished done = rehearse(PARLANCE_NODE, "agent.mjs", {"--problems", path("log")});
  ASSERT_EQ(done.code, 0) << done.errors;
  for (const char* line :
       {"editor parlance rehearse 23\n", "file cpp 4\n", R"(diff accepted "int main() {}\n")", "choice yes\n", "folders 1\n",
        "edits 2 // é\n", "wrong 1 {\"line\":2,\"character\":2} -Wno\n", "outside false\n", "pings 64\n", "typed \"explain\"\n"})
    EXPECT_THAT(done.out, HasSubstr(line));
  EXPECT_THAT(done.errors, HasSubstr("rejected: outside of the folder: read /etc/hostname?"));
  EXPECT_EQ(read_file(path("main.cpp")), "// é\nint main() {\n  return 0; // é\n}\n");
}

TEST_F(EditorPeers, AMissingAgentIsReported) {
  const Finished done = parlance({"rehearse", "editor", "--", "/no/such/agent"});
  EXPECT_EQ(done.code, 4);
  EXPECT_THAT(done.errors, HasSubstr("/no/such/agent"));
  EXPECT_EQ(parlance({"rehearse", "editor"}).code, 2);
}

TEST_F(EditorPeers, OurClientUnderAnEditorInNode) {
  if (std::string(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node";
  const Finished done =
      run({PARLANCE_NODE, peer("extension.mjs"), EDITOR_CLIENT_PROGRAM}, "", {{"DEBUG_AGENT", "1"}, {"LANG", "en_US.UTF-8"}});
  EXPECT_EQ(done.out, "unread 0 code 0\n") << done.errors;
  for (const char* line :
       {"✓ RPC client started", R"(getActiveFile: {"success":true,"file":{"path":"/w/ä.cpp")", "Diff shown: T é",
        "fly: RPC Error: Method not found: fly", "never: No response for 'never' after 0.05s", R"(ping: {"pong":true})",
        "[RPC CLIENT] Sent request: getActiveFile", "[RPC CLIENT] Received response for request 1", "a stray print"})
    EXPECT_THAT(done.errors, HasSubstr(line));
}

TEST_F(EditorPeers, OurClientUnderAnEditorInPython) {
  if (std::string(PARLANCE_PYTHON).empty()) GTEST_SKIP() << "no python3";
  const Finished done =
      run({PARLANCE_PYTHON, peer("extension.py"), EDITOR_CLIENT_PROGRAM}, "", {{"DEBUG_AGENT", "1"}, {"LANG", "zh_CN.UTF-8"}});
  EXPECT_EQ(done.out, "unread 0 code 0\n") << done.errors;
  for (const char* line : {"✓ RPC 客户端已启动", "a\u2028b\\n", "Diff shown: T é", "fly: RPC Error: Method not found: fly",
                           "VSCode 没有响应", R"(ping: {"pong": true})", "a stray print"})
    EXPECT_THAT(done.errors, HasSubstr(line));
}

// This extension ends at the first piece of stdout outside of one JSON document.
TEST_F(EditorPeers, ADeployedExtensionStartsTheChatInPlaceOfItsProgram) {
  if (std::string(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node";
  for (const Words& command : {Words{"-m", "backend.cli"}, Words{"backend.cli"}}) {
    Words words{PARLANCE_NODE, peer("deployed_extension.mjs"), folder(), "/testvs|edit main.cpp return 0 => return 7|y|/exit",
                parlance_program()};
    words.insert(words.end(), command.begin(), command.end());
    words.insert(words.end(), {"--state", path("state"), "--model", "rehearsal", "--rehearsal-pace-ms", "0"});
    const Finished done = run(words, "", {{"LANG", "zh_CN.UTF-8"}, {"LC_ALL", ""}});
    EXPECT_THAT(done.out, testing::ContainsRegex("^pieces [0-9]+ asked initialize .*getActiveFile.* applyChanges .* code 0\n$"))
        << done.errors;
    EXPECT_THAT(done.errors, HasSubstr("✓ RPC 客户端已启动"));
    EXPECT_THAT(done.errors, HasSubstr("6 of 6 work")) << "what is for the person is on stderr";
    EXPECT_THAT(read_file(path("main.cpp")), HasSubstr("return 7"));
    write_file(path("main.cpp"), "int main() {\n  return 0; // é\n}\n");
  }
}

// Both answers read as a refusal, so the chat sends no unknown method. showDiff shows the change, and the question is text.
TEST_F(EditorPeers, AnExtensionWithItsOwnAnswerToUnknownMethodsIsAskedByShowDiffAndText) {
  if (std::string(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node";
  for (const std::string unknown : {"-32603", "result"}) {
    const Finished done =
        run({PARLANCE_NODE, peer("deployed_extension.mjs"), folder(), "edit main.cpp return 0 => return 7|y|/exit",
             parlance_program(), "backend.cli", "--state", path("state"), "--model", "rehearsal", "--rehearsal-pace-ms", "0"},
            "", {{"UNKNOWN", unknown}});
    EXPECT_THAT(done.out, HasSubstr(" showDiff ")) << done.out << done.errors;
    EXPECT_THAT(done.out, testing::Not(HasSubstr("openDiff"))) << unknown;
    EXPECT_THAT(read_file(path("main.cpp")), HasSubstr("return 7")) << unknown << done.errors;
    write_file(path("main.cpp"), "int main() {\n  return 0; // é\n}\n");
  }
}

TEST_F(EditorPeers, MethodsAddedToAnEditorAreCalledByAnAgentOfAnyKind) {
  if (std::string(PARLANCE_PYTHON).empty()) GTEST_SKIP() << "no python3";
  write_file(path("added.json"),
             R"([{"name":"wordCount","description":"Counts words.","readOnly":true,"result":{"success":true,"words":3}}])");
  const Finished done = rehearse(PARLANCE_PYTHON, "agent.py", {"--added", path("added.json")});
  EXPECT_THAT(done.out, HasSubstr("added {'success': True, 'words': 3}\n")) << done.errors;
  const Finished broken = parlance({"rehearse", "editor", "--added", path("main.cpp"), "--", "agent"});
  EXPECT_EQ(broken.code, 2);
  EXPECT_THAT(broken.errors, HasSubstr(path("main.cpp")));
}

class EditorWindows : public EditorPeers, public ::testing::WithParamInterface<const char*> {
 protected:
  // A rehearsed window, and the environment of its terminals.
  std::unique_ptr<Program> open(Words flags = {}) {
    Words words{"rehearse", "editor", "--listen", GetParam(), "--workspace", folder(), "--active", "main.cpp"};
    words.insert(words.end(), flags.begin(), flags.end());
    auto window = launch(with_program(words), {{"XDG_RUNTIME_DIR", folder()}});
    until([&] { return window->lines.size() == 2; }, "the window tells where it is");
    return window;
  }
  static Variables terminal(const Program& window) {
    Variables set;
    for (const std::string& line : window.lines) {
      const std::string name_and_value = line.substr(std::string("export ").size());
      const std::size_t at = name_and_value.find('=');
      set.emplace_back(name_and_value.substr(0, at), name_and_value.substr(at + 1));
    }
    return set;
  }
};
INSTANTIATE_TEST_SUITE_P(Sockets, EditorWindows, ::testing::Values("unix", "tcp"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(EditorWindows, AProgramOfTheTerminalFindsItsWindow) {
  const auto window = open();
  const Finished done = run({EDITOR_CLIENT_PROGRAM}, "", terminal(*window));
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_EQ(done.out, "a stray print\n") << "stdout is the person's";
  for (const char* line : {"✓ RPC client started", "getActiveFile: {\"success\":true", "main.cpp", "Diff shown: T",
                           "fly: RPC Error: Method not found: fly", R"(ping: {"pong":true})"})
    EXPECT_THAT(done.errors, HasSubstr(line));
  EXPECT_THAT(window->errors, HasSubstr(R"(< {"jsonrpc":"2.0","id":1,"method":"initialize")"));
}

TEST_P(EditorWindows, AChatInTheTerminalAsksItsWindow) {
  const auto window = open();
  Variables set = terminal(*window);
  set.emplace_back("DEBUG_AGENT", "1");
  const Finished done = run(with_program({"chat", "parlance"}), "/testvs\n", set);
  EXPECT_THAT(done.out + done.errors, HasSubstr("Mode: VSCode RPC\n")) << done.errors;
  EXPECT_THAT(done.out + done.errors, HasSubstr("6 of 6 work"));
  EXPECT_THAT(done.errors, HasSubstr("✓ RPC client started"));
  EXPECT_THAT(done.errors, HasSubstr("[RPC CLIENT] Sent request: applyChanges\n"));
  EXPECT_THAT(done.errors, HasSubstr("[RPC CLIENT] Sent request: closeDiff\n")) << "nothing is left open there";
  EXPECT_THAT(done.out, Not(HasSubstr("jsonrpc")));
  EXPECT_THAT(done.out, Not(HasSubstr("[RPC CLIENT]")));
  EXPECT_EQ(read_file(path("main.cpp")), "int main() {\n  return 0; // é\n}\n");
}

TEST_P(EditorWindows, AChangeOfAnAgentNeedsApprovalInTheEditor) {
  for (const auto& [decided, expected] : {std::pair{"reject", "return 0"}, std::pair{"accept", "return 1"}}) {
    const auto window = open({"--decide", decided});
    const Finished done = run(with_program({"chat", "parlance", "--model", "rehearsal", "--approve", "ask", "--cwd", folder()}),
                              "edit main.cpp return 0 => return 1\n", terminal(*window));
    EXPECT_THAT(window->errors, HasSubstr(R"("method":"openDiff")")) << done.errors;
    EXPECT_THAT(window->errors, HasSubstr(std::string(decided) + "ed: take this change of " + path("main.cpp")));
    EXPECT_THAT(read_file(path("main.cpp")), HasSubstr(expected)) << done.out << done.errors;
  }
}

TEST_P(EditorWindows, AnAgentOfAcpIsGivenTheEditor) {
  if (std::string(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node";
  const auto window = open({"--selection", "return 0"});
  const std::string selected = R"("text":"return 0","range":{"start":{"line":1,"character":2},"end":{"line":1,"character":10}})";
  for (const char* command : {"run", "chat"}) {
    Words words{command, "acp"};
    if (std::string(command) == "run") words.emplace_back("--cwd=" + folder());
    words.insert(words.end(), {"--", PARLANCE_NODE, peer("acp_agent.mjs")});
    const Finished done = run(with_program(words), "what is selected?\n", terminal(*window));
    EXPECT_THAT(done.out, HasSubstr(selected)) << command << ": " << done.errors;
  }
}

TEST_P(EditorWindows, AServedAgentIsGivenTheEditorToo) {
  if (std::string(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node";
  const auto window = open({"--selection", "return 0"});
  const auto agent =
      launch(with_program({"serve-acp", "--agent", "acp", "--", PARLANCE_NODE, peer("acp_agent.mjs")}), terminal(*window));
  const auto say = [&](std::string line) { EXPECT_EQ(agent->stream().try_write(line += '\n'), line.size()); };
  say(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}})");
  say(R"({"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":")" + folder() + R"(","mcpServers":[]}})");
  const auto line_with = [&](std::string_view what) {
    return std::ranges::find_if(agent->lines, [&](const std::string& line) { return line.contains(what); });
  };
  until([&] { return line_with("\"sessionId\"") != agent->lines.end(); }, "there is a session");
  const std::string id = text_at(parsed(*line_with("\"sessionId\"")), {"result", "sessionId"});
  say(R"({"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":")" + id +
      R"(","prompt":[{"type":"text","text":"what is selected?"}]}})");
  until([&] { return line_with("\"stopReason\"") != agent->lines.end(); }, "the turn ends");
  EXPECT_NE(line_with(R"(\"text\":\"return 0\")"), agent->lines.end()) << agent->errors;
}

TEST_F(EditorPeers, WithoutAWindowServingIsImpossible) {
  for (const char* what : {"serve", "tools"}) {
    const Finished done = parlance({"editor", what});
    EXPECT_EQ(done.code, 2);
    EXPECT_THAT(done.errors, HasSubstr("PARLANCE_EDITOR_SOCKET is not set"));
  }
}

TEST_P(EditorWindows, AClosedWindowDoesNotPreventTheChat) {
  auto window = open();
  const Variables set = terminal(*window);
  window->child().signal_group(SIGTERM);
  until([&] { return window->ended(); }, "it ends");
  const Finished done = run(with_program({"chat", "parlance"}), "/testvs\n", set);
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.errors, HasSubstr("The editor's window is not there ("));
  EXPECT_THAT(done.out + done.errors, HasSubstr("No editor is connected"));
}

TEST_F(EditorPeers, WithoutAnEditorTheChatAnswersFromFixedDataAndItsOutputIsText) {
  const Finished done = parlance({"chat", "parlance"}, "/testvs\n");
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.out + done.errors, HasSubstr("Mode: Mock\n"));
  EXPECT_THAT(done.out + done.errors, HasSubstr("/path/to/project/src/main.cpp (7 lines)"));
  EXPECT_THAT(done.out + done.errors, Not(HasSubstr("{")));
}

TEST_F(EditorPeers, AnInvalidAddressIsReported) {
  const Finished done = run(with_program({"chat", "parlance"}), "",
                            {{"PARLANCE_EDITOR_SOCKET", "tcp:192.0.2.1:80"}, {"PARLANCE_EDITOR_TOKEN", "t"}});
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.errors, HasSubstr("PARLANCE_EDITOR_SOCKET=tcp:192.0.2.1:80: only a window of this machine is asked"));
  EXPECT_EQ(parlance({"rehearse", "editor", "--listen", "unix", "--", "agent"}).code, 2);
}

TEST_F(EditorPeers, OurClientOutsideOfAnEditor) {
  const Finished done = run({EDITOR_CLIENT_PROGRAM});
  EXPECT_EQ(done.code, 1);
  EXPECT_EQ(done.errors, "getActiveFile: Not in VSCode integration mode\n");
  EXPECT_EQ(done.out, "");
}

}  // namespace
}  // namespace parlance::test
