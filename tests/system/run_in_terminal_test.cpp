// SPDX-License-Identifier: Apache-2.0
// What a person at a terminal sees of an agent, and what an agent cannot do to that terminal. script(1) gives the program one.
#include <gmock/gmock.h>

#include "tests/support/programs.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// An agent that means harm: it clears the screen in its text, in two spellings, and sets the title by a tool's.
constexpr std::string_view agent = R"sh(
update() { printf '%s%s%s\n' '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":' "$1" '}}'; }
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  *'"method":"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}\n' "$id" ;;
  *'"method":"session/new"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s"}}\n' "$id" ;;
  *'"method":"session/prompt"'*)
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
TEST_F(RunInTerminal, APipeGetsTheTextAsItIs) {
  const Finished done = parlance({"run", "acp", "hello", "--", "/bin/sh", path("agent.sh")});
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.out, HasSubstr("It is **bold** \x1b[2J"));
}

}  // namespace
}  // namespace parlance::test
