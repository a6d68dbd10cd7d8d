// SPDX-License-Identifier: Apache-2.0
// `parlance chat` for a person at a terminal: keys, colours, an answer by a key, Ctrl-C and the terminal's modes. The test runs the
// chat in tmux and reads its screen.
#include <filesystem>

#include <gmock/gmock.h>

#include "tests/support/programs.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class ChatInTerminal : public ProgramTest {
 protected:
  ChatInTerminal() { std::filesystem::create_directory(work()); }
  ~ChatInTerminal() override {
    if (began_) static_cast<void>(tmux({"kill-server"}));
  }
  std::string work() const { return path("work"); }

  std::string tmux(Words words) {
    words.insert(words.begin(), {PARLANCE_TMUX, "-f", "/dev/null", "-S", socket_});
    return run(std::move(words), "", {{"TERM", "xterm-256color"}, {"LANG", "C.UTF-8"}}).out;
  }
  // A shell in a terminal of 100 by 30. The shell prints the chat's exit code.
  void begin(const std::string& more = "", const std::string& before = "") {
    write_file(path("begin.sh"), "trap : INT\nstty -a > modes.before\n" + before + "'" + parlance_program() + "' chat --state '" +
                                     path("state") + "' --cwd '" + work() + "' --rehearsal-pace-ms 0 " + more +
                                     "\necho \"ended with $?\"\nstty -a > modes.behind\ntouch over\nsleep 1000\n");
    std::filesystem::remove(path("over"));
    if (began_) tmux({"kill-server"});
    socket_ += "t";  // the old server may still be ending, and would end the next session too
    tmux({"new-session", "-d", "-x", "100", "-y", "30", "-c", folder(), "/bin/sh", path("begin.sh")});
    began_ = true;
    until_seen("\n>");
  }
  std::string screen(bool colours = false) {
    return tmux(colours ? Words{"capture-pane", "-p", "-e", "-S", "-200"} : Words{"capture-pane", "-p", "-S", "-200"});
  }
  void keys(Words keys) {
    keys.insert(keys.begin(), "send-keys");
    tmux(std::move(keys));
  }
  void type(const std::string& text) { tmux({"send-keys", "-l", text}); }
  void say(const std::string& text) {
    type(text);
    keys({"Enter"});
  }
  void until_seen(const std::string& text) {
    try {
      until_observed([&] { return screen().contains(text); }, text);
    } catch (const std::runtime_error& error) {
      FAIL() << error.what() << "\n" << screen();
    }
  }
  // An answer by a key. Input from before the question's last line is dropped: meant for another question.
  void answer(const std::string& key) {
    until_observed([&] { return ends_with_question(); }, "a question in\n" + screen());
    keys({key});
  }
  bool ends_with_question() {
    const std::string all = screen();
    const std::string shown = all.substr(0, all.find_last_not_of(" \n") + 1);
    const std::string last = shown.substr(shown.rfind('\n') + 1);
    return last == "?" || last.ends_with("words:");
  }
  void until_over(int code) {
    until_file(path("over"), [&] { return std::filesystem::exists(path("over")); }, "the end of the chat in\n" + screen());
    EXPECT_THAT(screen(), HasSubstr("ended with " + std::to_string(code)));
    EXPECT_EQ(read_file(path("modes.before")), read_file(path("modes.behind"))) << "the terminal is as it was";
  }

 private:
  bool began_ = false;
  std::string socket_ = path("");  // of tmux
};

TEST_F(ChatInTerminal, AKeyAllowsAndAKeyRefuses) {
  begin();
  say("write note.txt hello");
  until_seen("(y)");
  EXPECT_THAT(screen(), HasSubstr("+ hello"));
  EXPECT_FALSE(std::filesystem::exists(work() + "/note.txt"));
  answer("x");  // none
  until_seen("? x");
  answer("y");
  until_file(work() + "/note.txt", [&] { return std::filesystem::exists(work() + "/note.txt"); }, "the file");
  EXPECT_EQ(read_file(work() + "/note.txt"), "hello\n");
  until_seen("Written:");
  say("run touch ran");
  until_seen("touch ran");
  until_observed([&] { return screen().rfind("(n)") > screen().rfind("Written:"); }, "the second question");
  answer("n");
  until_seen("You refused run_command");
  EXPECT_FALSE(std::filesystem::exists(work() + "/ran"));
  say("/exit");
  until_over(0);
}
TEST_F(ChatInTerminal, AQuestionAndAPlanByKey) {
  begin();
  say("ask");
  until_seen("Which colour");
  answer("2");
  until_seen("Your answer was:");
  EXPECT_THAT(screen(), HasSubstr("Red"));
  say("/mode plan");
  say("plan");
  until_seen("(f)");
  answer("f");
  until_seen("What should be different?");
  say("paint it blue");
  until_seen("The person wants the plan changed: paint it blue");
  until_seen("I stop here.");
  keys({"C-d"});
  until_over(0);
}
TEST_F(ChatInTerminal, ThoughtsAreDimAndMarkdownIsReadable) {
  begin();
  say("think about rain");
  until_seen("as above.");
  EXPECT_THAT(screen(true), HasSubstr("\x1b[2m"));
  say("markdown");
  until_observed([&] { return screen(true).contains("\x1b[1m"); }, "something bold");
  keys({"C-d"});
  until_over(0);
}
TEST_F(ChatInTerminal, WithoutColoursIfUnwanted) {
  begin("", "export NO_COLOR=1\n");
  say("think about rain");
  until_seen("as above.");
  say("markdown");
  until_seen("That was all of it.");
  EXPECT_THAT(screen(true), Not(HasSubstr("\x1b[2m")));
  EXPECT_THAT(screen(true), Not(HasSubstr("\x1b[1m")));
}

TEST_F(ChatInTerminal, CtrlCStopsTheTurnAndTwiceQuits) {
  begin();
  say("slow 100000 5");
  until_seen("w1 w2");
  keys({"C-c"});
  until_seen("(stopped)");
  say("write note.txt hello");
  until_seen("(y)");
  keys({"C-c"});
  until_observed([&] { return screen().rfind("(stopped)") > screen().rfind("(y)"); }, "the turn to stop while it asks");
  EXPECT_FALSE(std::filesystem::exists(work() + "/note.txt"));
  type("half a line");
  until_seen("half a line");
  keys({"C-c"});  // soon after the first, but with a line to withdraw
  until_seen("(Ctrl-C again quits)");
  keys({"C-c"});
  until_over(0);
}
TEST_F(ChatInTerminal, CtrlCTwiceQuitsAnUnresponsiveAgent) {
  write_file(path("deaf.sh"), R"sh(
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  (*'"method":"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}\n' "$id" ;;
  (*'"method":"session/new"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s"}}\n' "$id" ;;
  esac
done
)sh");
  begin("acp -- /bin/sh '" + path("deaf.sh") + "'");
  say("hello");
  loop.run_for(300ms);
  keys({"C-c"});
  loop.run_for(100ms);
  keys({"C-c"});
  until_seen("(quitting; the agent has 5 s to end its turn)");
  until_file(path("over"), [&] { return std::filesystem::exists(path("over")); }, "the end of the chat");
  EXPECT_EQ(read_file(path("modes.before")), read_file(path("modes.behind")));
}

TEST_F(ChatInTerminal, TypedLinesAreAvailableInALaterRun) {
  begin();
  say("long 3");
  until_seen("w1 w2 w3");
  say("/exit");
  until_over(0);
  begin("--resume");
  until_seen("w1 w2 w3");
  keys({"Up"});  // /exit
  keys({"Up"});
  until_observed([&] { return screen().rfind("> long 3") > screen().find("w3"); }, "the prompt of the day before");
  keys({"BSpace", "4", "Enter"});
  until_seen("w1 w2 w3 w4");
}
TEST_F(ChatInTerminal, ATabCompletesACommand) {
  begin();
  type("/he");
  keys({"Tab"});
  until_seen("> /help");
  keys({"Enter"});
  until_seen("Mode of the conversation");
}
TEST_F(ChatInTerminal, APasteIsASinglePrompt) {
  begin();
  write_file(path("pasted"), "first line\nsecond é line\n\tthird");
  tmux({"load-buffer", path("pasted")});
  tmux({"paste-buffer", "-p"});  // in brackets, as terminals do
  until_seen("third");
  EXPECT_THAT(screen(), Not(HasSubstr("You wrote")));
  keys({"Enter"});
  until_seen("(y)");
  answer("n");
  until_seen("You wrote “first line");
  EXPECT_THAT(screen(), HasSubstr("second é line"));
}
TEST_F(ChatInTerminal, AnotherSizeMovesNoText) {
  begin();
  type("a line that is being typed while the window changes");
  until_seen("window changes");
  tmux({"resize-window", "-x", "40", "-y", "20"});
  loop.run_for(200ms);
  tmux({"resize-window", "-x", "100", "-y", "30"});
  loop.run_for(200ms);
  keys({"C-u"});
  say("long 3");
  until_seen("w1 w2 w3");
}
TEST_F(ChatInTerminal, NoAgentReachesTheTerminal) {
  write_file(path("hostile.sh"), R"sh(
update() { printf '%s%s%s\n' '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":' "$1" '}}'; }
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
  (*'"method":"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}\n' "$id" ;;
  (*'"method":"session/new"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"s"}}\n' "$id" ;;
  (*'"method":"session/prompt"'*)
    prompt=$id
    update '{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"thought \u001b[2J and \u009b2J\n"}}'
    update '{"sessionUpdate":"tool_call","toolCallId":"1","title":"title \u001b]0;owned\u0007","kind":"execute","status":"pending"}'
    printf '%s\n' '{"jsonrpc":"2.0","id":"p1","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"1","title":"ask \u001b[2J\u001b]0;owned\u0007"},"options":[{"optionId":"y","name":"yes \u001b[2J","kind":"allow_once"},{"optionId":"n","name":"no","kind":"reject_once"}]}}' ;;
  (*'"id":"p1"'*)
    update '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"all \u001b[2Jdone\n"}}'
    printf '{"jsonrpc":"2.0","id":%s,"result":{"stopReason":"end_turn"}}\n' "$prompt" ;;
  esac
done
)sh");
  begin("acp -- /bin/sh '" + path("hostile.sh") + "'");
  tmux({"pipe-pane", "cat >> '" + path("sent") + "'"});
  say("hello there");
  until_seen("(y)");
  answer("y");
  until_seen("done");
  const std::string all = read_file(path("sent"));
  EXPECT_THAT(all, HasSubstr("␛[2J"));
  EXPECT_THAT(all, Not(HasSubstr("\x1b[2J")));
  EXPECT_THAT(all, Not(HasSubstr("\x1b]0;owned")));
  EXPECT_THAT(all, Not(HasSubstr("\xC2\x9B")));
  EXPECT_THAT(screen(), HasSubstr("hello there")) << "the screen was not cleared";
}

}  // namespace
}  // namespace parlance::test
