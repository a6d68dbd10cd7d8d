// SPDX-License-Identifier: Apache-2.0
// Output of an agent in a terminal. Markdown becomes styled text. Control sequences of the agent have no effect. script(1) provides
// the terminal.
#include <filesystem>

#include <gmock/gmock.h>

#include "tests/support/programs.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A hostile agent. Its text clears the screen in two spellings. The title of a tool call sets the window title.
constexpr std::string_view agent = R"sh(
update() { printf '%s%s%s\n' '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":' "$1" '}}'; }
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  (*'"method":"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}\n' "$id" ;;
  (*'"method":"session/new"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s"}}\n' "$id" ;;
  (*'"method":"session/prompt"'*)
    update '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"It is *"}}'
    update '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"*bold*"}}'
    update '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"* \u001b[2J and \u009b2J\n"}}'
    update '{"sessionUpdate":"tool_call","toolCallId":"1","title":"\u001b]0;owned\u0007","kind":"read","status":"completed"}'
    printf '{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}\n' "$id" ;;
  esac
done
)sh";

class RunInTerminal : public ProgramTest {
 protected:
  RunInTerminal() { write_file(path("agent.sh"), agent); }
  Finished at_terminal(Variables set) {
    const std::string command = parlance_program() + " run acp hello -- /bin/sh " + path("agent.sh");
    return run({"/usr/bin/script", "-qec", command, "/dev/null"}, "", std::move(set));
  }
};

TEST_F(RunInTerminal, MarkdownIsReadable) {
  const Finished done = at_terminal({{"TERM", "xterm-256color"}, {"NO_COLOR", ""}});
  EXPECT_EQ(done.code, 0) << done.out << done.errors;
  EXPECT_THAT(done.out, HasSubstr("It is \x1b[1mbold\x1b[0m"));
}
TEST_F(RunInTerminal, NoControlCharacterOfAnAgentGetsThrough) {
  const Finished done = at_terminal({{"TERM", "xterm-256color"}, {"NO_COLOR", "1"}});
  EXPECT_EQ(done.code, 0) << done.out << done.errors;
  EXPECT_THAT(done.out, AllOf(HasSubstr("It is **bold**"), HasSubstr("␛[2J"), HasSubstr("␛]0;owned␇")));
  EXPECT_THAT(done.out, AllOf(Not(HasSubstr("\x1b")), Not(HasSubstr("\x07")), Not(HasSubstr("\xC2\x9B"))));
}
TEST_F(RunInTerminal, WithoutAStateFolderTheConversationIsNotStored) {
  const Finished done = parlance({"run", "acp", "hello", "--state", "/proc/none/state", "--", "/bin/sh", path("agent.sh")});
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.out, HasSubstr("It is **bold**"));
  EXPECT_THAT(done.errors, AllOf(HasSubstr("will not be stored"), HasSubstr("--state")));
}
TEST_F(RunInTerminal, APipeGetsTheTextAsItIs) {
  const Finished done = parlance({"run", "acp", "hello", "--", "/bin/sh", path("agent.sh")});
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.out, HasSubstr("It is **bold** \x1b[2J"));
}

class RunDefaultAgent : public ProgramTest {};

TEST_F(RunDefaultAgent, APromptInQuotesGoesToTheDefaultAgent) {
  std::filesystem::create_directory(path("tmp"));
  const Variables set{{"TMPDIR", path("tmp")}};
  const Finished named = parlance({"run", "parlance", "explain this folder"}, "", set);
  EXPECT_NE(named.out, "") << named.errors;
  for (const Words& words : {Words{"explain this folder"}, Words{"run", "explain this folder"}})
    EXPECT_EQ(parlance(words, "", set).out, named.out) << testing::PrintToString(words);
  const Finished piped = parlance({"run"}, "explain this folder", set);
  EXPECT_EQ(piped.out, named.out);
  const Finished absent = parlance({"explain this folder"}, "", {{"PARLANCE_DEFAULT_AGENT", "nobody"}});
  EXPECT_EQ(absent.code, 2);
  EXPECT_THAT(absent.errors, HasSubstr("no such agent: \"nobody\""));
}

}  // namespace
}  // namespace parlance::test
