// SPDX-License-Identifier: Apache-2.0
// parlance chat in a terminal, through a gateway that is not the owner: keys, Ctrl-C, and an answer from another frontend. The
// terminal is tmux.
#include "parlance/base/text.h"
#include "tests/postgres/through_gateway.h"

namespace parlance::test {
namespace {

using testing::HasSubstr;

class TerminalThroughGateway : public ThroughGatewayTest {
 protected:
  ~TerminalThroughGateway() override { static_cast<void>(tmux({"kill-server"})); }
  std::string tmux(Words words) {
    words.insert(words.begin(), {PARLANCE_TMUX, "-f", "/dev/null", "-S", path("tmux")});
    return run(std::move(words), "", {{"TERM", "xterm-256color"}, {"LANG", "C.UTF-8"}}).out;
  }
  void begin(const std::string& more) {
    write_file(path("token"), tokens.at("ann"));
    std::filesystem::permissions(path("token"), std::filesystem::perms(0600));
    write_file(path("begin.sh"), "trap : INT\n'" + parlance_program() + "' chat --to=" + way->address() + " --token-file '" +
                                     path("token") + "' --state '" + path("own") + "' " + more +
                                     "\necho \"ended with $?\"\nsleep 1000\n");
    tmux({"new-session", "-d", "-x", "120", "-y", "40", "-c", folder(), "/bin/sh", path("begin.sh")});
    until_prompt();
  }
  // -J joins wrapped lines. The place of a line break depends on the number of digits of a port.
  std::string screen() { return tmux({"capture-pane", "-p", "-J", "-S", "-200"}); }
  void keys(Words keys) {
    keys.insert(keys.begin(), "send-keys");
    tmux(std::move(keys));
  }
  void types(const std::string& text) {
    tmux({"send-keys", "-l", text});
    keys({"Enter"});
  }
  // The chat discards keys from before the last line of a question, so that no stray key decides.
  void answers(const std::string& key) {
    until_screen([](std::string_view all) { return trim(all).ends_with("\n?"); }, "the line for a key");
    keys({key});
  }
  // The input line: the previous turn has ended.
  void until_prompt() {
    until_screen([](std::string_view all) { return trim(all).ends_with("\n>"); }, "the prompt");
  }
  void until_seen(const std::string& text) {
    until_screen([&text](std::string_view all) { return all.contains(text); }, text);
  }
  void until_screen(const std::function<bool(std::string_view)>& is_there, const std::string& what) {
    try {
      until_observed([&] { return is_there(screen()); }, what);
    } catch (const std::runtime_error& error) {
      FAIL() << error.what() << "\n" << screen();
    }
  }
};

TEST_F(TerminalThroughGateway, AKeyAnswersCtrlCStopsAndItIsResumed) {
  const std::string id = conversation_at_a();
  begin("--resume=" + id);
  EXPECT_THAT(screen(), HasSubstr(" at ws://127.0.0.1:"));
  types("write note.txt hello");
  until_seen("(y)");
  EXPECT_THAT(screen(), HasSubstr("+ hello"));
  answers("y");
  until_file(work() + "/note.txt", [&] { return std::filesystem::exists(work() + "/note.txt"); }, "the file");
  until_seen("Created note.txt.");
  until_prompt();
  types("slow 100000 5");
  until_seen("w1 w2");
  keys({"C-c"});
  until_seen("(stopped)");
  until_turns(*annas, id, 3);
  EXPECT_EQ(text_at(annas->last(id, "ask_settled"), {"by"}), "ann");
  until_prompt();
  types("/exit");
  until_seen("ended with 0");
}

TEST_F(TerminalThroughGateway, AnAnswerOnThePageEndsTheRequestHere) {
  const std::string id = conversation_at_a();
  begin("--resume=" + id);
  types("write note.txt hello");
  until_seen("(y)");
  done(*annas, "answer", answer_to(open_ask(*annas), "allow_once"));
  until_seen("(settled meanwhile)");
  until_seen("Created note.txt.");
  until_prompt();
  b.program->child().signal_group(SIGKILL);
  way->lead_to(a.base);
  types("run touch ran");
  const auto is_asked = [](std::string_view all) { return all.rfind("(y)") > all.rfind("Created note.txt."); };
  // The message may leave before the chat notices the end of the connection. Then the chat says that the gateway may have acted, and
  // the person sends the message again.
  const auto is_in_doubt = [](std::string_view all) { return all.contains("may have acted") && all.contains("again)"); };
  until_screen([&](std::string_view all) { return is_asked(all) || is_in_doubt(all); }, "what comes of it");
  if (!is_asked(screen())) types("run touch ran");
  until_screen(is_asked, "the second question");
  until([&] { return !ask_in_state(*annas, "open").is_null(); }, "the question at the other gateway");
  answers("n");
  until_seen("You refused run_command");
  until_prompt();
  types("/exit");
  until_seen("ended with 0");
}

}  // namespace
}  // namespace parlance::test
