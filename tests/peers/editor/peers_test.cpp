// Agents in Python and Node behind `parlance rehearse editor`, and an editor in Node that starts a program with our client.
#include <string>

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

TEST_F(EditorPeers, WhatThePersonRejectsIsNotDone) {
  if (std::string(PARLANCE_PYTHON).empty()) GTEST_SKIP() << "no python3";
  const Finished done = rehearse(PARLANCE_PYTHON, "agent.py", {"--decide", "reject", "--quiet"});
  ASSERT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.out, HasSubstr("again Rejected by user\n"));
  EXPECT_EQ(read_file(path("main.cpp")), "int main() {\n  return 0; // é\n}\n");
  EXPECT_THAT(done.errors, Not(HasSubstr("jsonrpc")));
}

TEST_F(EditorPeers, AnAgentInNodeIsServed) {
  if (std::string(PARLANCE_NODE).empty()) GTEST_SKIP() << "no node";
  const Finished done = rehearse(PARLANCE_NODE, "agent.mjs");
  ASSERT_EQ(done.code, 0) << done.errors;
  for (const char* line : {"editor parlance rehearse 21\n", "file cpp 4\n", R"(diff accepted "int main() {}\n")", "choice yes\n",
                           "folders 1\n", "outside false\n", "pings 64\n", "typed \"explain\"\n"})
    EXPECT_THAT(done.out, HasSubstr(line));
}

TEST_F(EditorPeers, AnAgentThatIsNotThereIsTold) {
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

TEST_F(EditorPeers, OurClientOutsideOfAnEditor) {
  const Finished done = run({EDITOR_CLIENT_PROGRAM});
  EXPECT_EQ(done.code, 1);
  EXPECT_EQ(done.errors, "getActiveFile: Not in VSCode integration mode\n");
  EXPECT_EQ(done.out, "");
}

}  // namespace
}  // namespace parlance::test
