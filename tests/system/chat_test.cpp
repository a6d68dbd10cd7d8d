// SPDX-License-Identifier: Apache-2.0
// `parlance chat` without a terminal: through a pipe, and started by an editor. A terminal: chat_in_terminal_test.cpp.
#include <chrono>
#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>

#include "tests/support/programs.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class Chat : public ProgramTest {
 protected:
  Chat() { std::filesystem::create_directory(work()); }
  std::string work() const { return path("work"); }
  Finished chat(std::string_view input, Words more = {}, Variables set = {}) {
    Words words{"chat", "--state", path("state"), "--cwd", work(), "--rehearsal-pace-ms", "0"};
    words.insert(words.end(), more.begin(), more.end());
    return parlance(std::move(words), input, std::move(set));
  }
};

// ---- through a pipe -----------------------------------------------------------------------------------------------------

TEST_F(Chat, EachLineIsAPrompt) {
  const Finished done = chat("long 3\n\nlong 5\n");
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.out, EndsWith("\n\nw1 w2 w3\nw1 w2 w3 w4 w5\n"));
  EXPECT_THAT(done.errors + done.out, Not(HasSubstr("\x1b")));
}
TEST_F(Chat, FirstReportsThatNoPersonCanAnswer) {
  const Finished done = chat("write note.txt hello\n");
  EXPECT_EQ(done.code, 0) << "the turn ended; the refusal is reported: " << done.errors;
  EXPECT_FALSE(std::filesystem::exists(work() + "/note.txt"));
  EXPECT_THAT(done.out, HasSubstr("You refused `write_file`"));
  EXPECT_THAT(done.errors, HasSubstr("write_file"));
}
TEST_F(Chat, ActionsAllowedBeforehandAreDone) {
  EXPECT_EQ(chat("write note.txt hello\n", {"--approve", "all"}).code, 0);
  EXPECT_EQ(read_file(work() + "/note.txt"), "hello\n");
  EXPECT_EQ(chat("edit note.txt hello => goodbye\n", {"--mode", "autoEdit"}).code, 0);
  EXPECT_EQ(read_file(work() + "/note.txt"), "goodbye\n");
}
TEST_F(Chat, AFailedTurnIsTheExitCode) {
  const Finished done = chat("error\n");
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.errors, HasSubstr("the rehearsal failed on request"));
  EXPECT_EQ(chat("error\nlong 1\n").code, 0) << "the last one counts";
}

TEST_F(Chat, TheReasonOfAnAgentThatDoesNotStartIsReportedAtOnce) {
  const auto begin = std::chrono::steady_clock::now();
  const Finished no_key = chat("hello\n", {"--model", "openai"});
  EXPECT_EQ(no_key.code, 1);
  EXPECT_THAT(no_key.errors, HasSubstr("the agent's program has ended: the model: the model openai needs a key"));
  const Finished no_file = parlance({"run", "parlance", "hello", "--state", path("state"), "--scenario", path("none")});
  EXPECT_EQ(no_file.code, 1);
  EXPECT_THAT(no_file.errors, HasSubstr("--scenario"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
  const Finished no_folder = chat("hello\n", {}, {{"TMPDIR", path("none")}});
  EXPECT_EQ(no_folder.code, 4) << no_folder.signal;
  EXPECT_THAT(no_folder.errors, HasSubstr("set TMPDIR"));
  EXPECT_THAT(chat("", {"--resume", std::string(300, 'x')}).errors, HasSubstr("there is no conversation xxx"));
}
TEST_F(Chat, ItsConversationIsInTheExportedLog) {
  ASSERT_EQ(chat("long 1\n").code, 0);
  const Finished log = parlance({"log", "export", "--state", path("state")});
  EXPECT_EQ(log.code, 0);
  EXPECT_THAT(log.out, AllOf(HasSubstr(R"("text":"long 1")"), HasSubstr("turn_end")));
  const std::string id = text_at(parsed(log.out.substr(0, log.out.find('\n'))), {"conversation"});
  EXPECT_EQ(parlance({"log", "export", "--state", path("state"), "--conversation", id}).out, log.out);
  EXPECT_EQ(parlance({"log", "export", "--state", path("state"), "--conversation", "none"}).code, 1);
}
TEST_F(Chat, LostOutputIsAnErrorAndStopsATurn) {
  const auto into_nothing = [&](const std::string& command) {
    return run({"bash", "-c", "'" + parlance_program() + "' " + command + " --state '" + path("state") + "' > /dev/full"});
  };
  EXPECT_EQ(into_nothing("config").code, 1);
  ASSERT_EQ(chat("long 1\n").code, 0);
  const Finished log = into_nothing("log export");
  EXPECT_EQ(log.code, 1);
  EXPECT_THAT(log.errors, HasSubstr("the output is incomplete"));
  const Finished turn = into_nothing("run parlance 'slow 100000 50'");
  EXPECT_EQ(turn.code, 1);
  EXPECT_THAT(turn.errors, HasSubstr("the turn is stopped, because stdout cannot be written: No space left on device"));
}

TEST_F(Chat, CommandsReportTheirEffects) {
  const Finished done = chat("/help\n/mode plan\n/mode\n/mode nonsense\n/model\n/memory\n/nonsense\n/exit\nlong 3\n");
  EXPECT_EQ(done.code, 0);
  for (const char* command : {"/help",     "/mode",  "/model",   "/think",  "/option", "/agent", "/resume", "/history",
                              "/sessions", "/title", "/archive", "/access", "/attach", "/queue", "/reask",  "/search",
                              "/memory",   "/rules", "/usage",   "/limit",  "/testvs", "/clear", "/delete", "/exit"})
    EXPECT_THAT(done.errors, HasSubstr(std::string("  ") + command)) << "not in /help";
  EXPECT_THAT(done.errors, ContainsRegex("[Mm]ode.*plan"));
  EXPECT_THAT(done.errors, HasSubstr("default, autoEdit, yolo, plan or smart"));
  EXPECT_THAT(done.errors, HasSubstr("/nonsense: unknown command; /help lists the commands"));
  EXPECT_EQ(done.out, "") << "nothing behind /exit is read, and no command is a prompt";
}
TEST_F(Chat, APathIsAPromptAndNoCommand) {
  EXPECT_THAT(chat("/etc/hosts is what?\n").out, HasSubstr("You wrote “/etc/hosts is what?”"));
}
TEST_F(Chat, AnotherAgentTakesOver) {
  const Finished done = chat("long 1\n/agent nobody\n/agent parlance\nlong 2\n");
  EXPECT_EQ(done.code, 0);
  EXPECT_THAT(done.out, AllOf(HasSubstr("\nw1\n"), EndsWith("\nw1 w2\n")));
  EXPECT_THAT(done.errors, HasSubstr("nobody"));
}
TEST_F(Chat, AMemoryIsFoundAgain) {
  EXPECT_EQ(chat("remember the shed is green\n", {"--approve", "all"}).code, 0);
  EXPECT_THAT(chat("/memory shed\n").errors, HasSubstr("the shed is green"));
  const std::string listed = chat("/memory\n").errors;
  EXPECT_THAT(listed, ContainsRegex("  mem_[^ ]+  20[-0-9]+  the shed is green"));
  const std::string id = listed.substr(listed.find("mem_"), listed.find("  20") - listed.find("mem_"));
  const Finished forgotten = chat("/memory forget " + id + "\n/memory forget " + id + "\n/memory\n");
  EXPECT_THAT(forgotten.errors, AllOf(HasSubstr("The memory " + id + " is deleted."),
                                      HasSubstr("error: there is no memory " + id), HasSubstr("Nothing.")));
}
TEST_F(Chat, ARuleIsListedAndRevoked) {
  const Finished done =
      chat("/rules\nwrite a.txt 1\na\nwrite b.txt 2\n/rules\n/rules revoke 2\n/rules revoke 1\n/rules\nwrite c.txt 3\nn\n",
           {"--approve", "ask"});
  EXPECT_THAT(done.errors, AllOf(ContainsRegex("No rules: .*  1   [^\n]*; used 1 times, last for [^\n]*b.txt"),
                                 HasSubstr("no such rule; /rules lists"), ContainsRegex("revoked: [^\n]+\nNo rules: ")));
  EXPECT_TRUE(std::filesystem::exists(work() + "/b.txt"));
  EXPECT_FALSE(std::filesystem::exists(work() + "/c.txt")) << "asked again";
}
TEST_F(Chat, TheUseOfAllChatsIsShown) {
  ASSERT_EQ(chat("long 3\n").code, 0);
  EXPECT_THAT(chat("long 1\n/usage\n").errors,
              AllOf(ContainsRegex("Today, 20[-0-9]+: .*; 2 turns"), HasSubstr("  long 3  (conv_"), HasSubstr("  long 1  (conv_"),
                    HasSubstr("No limits: ")));
  EXPECT_THAT(chat("/limit day 5\n").errors, HasSubstr("/limit: only a gateway counts"));
}
TEST_F(Chat, AttachedFilesGoWithTheNextPrompt) {
  write_file(path("notes.txt"), "green");
  write_file(path("odd"), "\x01\xff");
  write_file(path("picture"), "\x89PNG\r\n");
  const Finished done = chat("/attach\n/attach " + path("odd") + "\n/attach " + path("none") + "\n/attach " + path("notes.txt") +
                             "\n/attach " + path("picture") + "\nlook\n/attach\n");
  EXPECT_THAT(done.errors, AllOf(HasSubstr("Nothing is attached"), HasSubstr("error: " + path("odd") + " is no picture"),
                                 HasSubstr(path("none")), HasSubstr("attached to the next message: notes.txt, picture"),
                                 EndsWith("Nothing is attached to the next message; /attach FILE attaches a file.\n")));
  EXPECT_THAT(done.out, AllOf(HasSubstr("notes.txt, text/plain, 5 bytes"), HasSubstr("picture, image/png, 6 bytes")));
}
TEST_F(Chat, ADeletedConversationIsGone) {
  const Finished done = chat("long 3\n/delete\n/delete yes\nlong 2\n/resume\n");
  EXPECT_THAT(done.errors, AllOf(HasSubstr("/delete yes deletes \"long 3\""), HasSubstr("The conversation is deleted."),
                                 HasSubstr("long 2  " + work())));
  EXPECT_THAT(done.errors, Not(HasSubstr("long 3  " + work())));
  EXPECT_THAT(chat("/resume\n").errors, Not(HasSubstr("long 3")));
}
TEST_F(Chat, SettingsAndListsWithoutEntriesAreShown) {
  const Finished done = chat("/think\n/think on\n/option\n/option a b\n/queue\n/queue drop 1\n/queue go\n/reask\n/sessions\n");
  EXPECT_THAT(done.errors,
              AllOf(HasSubstr("think off; there are on, off"), HasSubstr("think on\n"),
                    HasSubstr("The agent has no further options."), HasSubstr("No message waits."), HasSubstr("no such message"),
                    HasSubstr("No request waits"), HasSubstr("error: this agent cannot list its sessions")));
}
TEST_F(Chat, AnInterruptedRequestIsAskedAgain) {
  const Words words = with_program({"chat", "--state", path("state"), "--cwd", work(), "--approve", "ask", "--resume"});
  ASSERT_EQ(chat("long 1\n").code, 0);
  const auto first = launch(words);
  type(*first, "write notes.txt hello\n");
  until([&] { return first->errors.contains("(y)"); }, "the request");
  first->child().signal_group(SIGKILL);
  until([&] { return first->ended(); }, "the end");
  const auto second = launch(words);
  type(*second, "/reask\n");
  until([&] { return second->errors.contains("(y)"); }, "the request again");
  type(*second, "y\n");
  until_file(work() + "/notes.txt", [&] { return std::filesystem::exists(work() + "/notes.txt"); }, "the file");
  type(*second, "/exit\n");
  until([&] { return second->ended(); }, "the end");
}
TEST_F(Chat, AConversationGoesOnAnotherDay) {
  ASSERT_EQ(chat("long 3\n").code, 0);
  ASSERT_EQ(chat("think about rain\n").code, 0);
  ASSERT_EQ(chat("/mode\n").code, 0) << "nothing was said, so nothing is kept";
  const Finished newest = chat("/resume\n/resume 2\n", {"--resume"});
  EXPECT_EQ(newest.code, 0) << newest.errors;
  EXPECT_THAT(newest.errors, AllOf(HasSubstr("> think about rain"), HasSubstr("1"), HasSubstr("long 3")));
  EXPECT_THAT(newest.errors, HasSubstr("> long 3"));
  EXPECT_THAT(newest.out, HasSubstr("w1 w2 w3"));
}
TEST_F(Chat, EarlierTurnsAreShownAgain) {
  ASSERT_EQ(chat("long 3\nlong 150\nthink about rain\n").code, 0);
  const Finished two = chat("/history 2\n/history no\n", {"--resume"});
  EXPECT_THAT(two.errors, AllOf(HasSubstr("> long 150"), HasSubstr("/history needs a number"), Not(HasSubstr("> long 3"))));
  EXPECT_THAT(chat("/history\n", {"--resume"}).errors, ContainsRegex("> long 3\n(.*\n)*> long 150\n(.*\n)*> think about rain"));
}
TEST_F(Chat, ATitleIsShownInTheList) {
  const Finished done = chat("/title\nlong 1\n/title  shed and\tgarden \n/title\n/exit\n");
  EXPECT_EQ(done.code, 0);
  EXPECT_THAT(done.errors, AllOf(HasSubstr("no title yet; /title TEXT sets one"), HasSubstr("title shed and garden\n")));
  EXPECT_THAT(chat("/resume\n").errors, HasSubstr("shed and garden"));
}
TEST_F(Chat, AnArchivedConversationIsListedApartAndCanBeRestored) {
  ASSERT_EQ(chat("long 3\n").code, 0);
  const Finished archived = chat("long 1\n/title put away\n/archive nonsense\n/archive\n");
  EXPECT_THAT(archived.errors,
              AllOf(HasSubstr("no choice \"nonsense\"; /archive archives"), HasSubstr("archived; /resume archived")));
  EXPECT_THAT(chat("/exit\n", {"--resume"}).errors, HasSubstr("> long 3")) << "the newest that is not archived";
  EXPECT_THAT(chat("/resume\n").errors, AllOf(HasSubstr("long 3"), Not(HasSubstr("put away"))));
  const Finished restored = chat("/resume archived\n/resume 1\n/archive off\n/resume archived\n/resume\n");
  EXPECT_THAT(restored.errors, AllOf(HasSubstr("  1   "), HasSubstr("put away"), HasSubstr("> long 1"), HasSubstr("not archived"),
                                     HasSubstr("No archived conversation.")));
}
TEST_F(Chat, AccessNeedsATeam) {
  EXPECT_THAT(chat("/access team\n").errors, HasSubstr("/access: only a gateway with a team can share conversations"));
}
TEST_F(Chat, WordsOfTextsAndTitlesAreFoundInAllConversations) {
  ASSERT_EQ(chat("long 3\n").code, 0);
  ASSERT_EQ(chat("think about rain\n/title umbrella\n").code, 0);
  const Finished found = chat("/search w1 W2\n");
  EXPECT_THAT(found.errors, AllOf(ContainsRegex("  conv_[^ ]+  long 3  .*w1 w2 w3"), HasSubstr("/resume ID continues"),
                                  Not(HasSubstr("umbrella"))));
  EXPECT_THAT(chat("/search UMBRELLA\n").errors, ContainsRegex("  conv_[^ ]+  umbrella"));
  EXPECT_THAT(chat("now here\n/search now here\n").errors, ContainsRegex("  conv_[^ ]+  now here")) << "the own conversation";
  EXPECT_THAT(chat("/search snowflake\n").errors, HasSubstr("Nothing."));
  EXPECT_THAT(chat("/search \n").errors, HasSubstr("/search needs words"));
}
TEST_F(Chat, FilesOfAnAdditionalFolderCountAsInside) {
  const std::string beside = path("beside");
  std::filesystem::create_directories(beside);
  write_file(beside + "/a.txt", "words beside\n");
  const std::string words = "read " + beside + "/a.txt\n";
  EXPECT_THAT(chat(words).out, Not(HasSubstr("words beside")));
  EXPECT_THAT(chat(words, {"--add-dir", beside}).out, HasSubstr("words beside"));
  const Finished missing = chat("", {"--add-dir", path("none")});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.errors, HasSubstr("--add-dir: the agent cannot use \"" + path("none")));
}
TEST_F(Chat, AMissingConversationCannotContinue) {
  EXPECT_THAT(chat("", {"--resume"}).errors, HasSubstr("there is no conversation of " + work()));
  const Finished unknown = chat("", {"--resume", "../../etc"});
  EXPECT_NE(unknown.code, 0);
  EXPECT_THAT(unknown.errors, HasSubstr("../../etc"));
  EXPECT_NE(chat("", {"--cwd", path("nowhere")}).code, 0);
}
TEST_F(Chat, ClearedIsForgotten) {
  const Finished done = chat("hello\n/clear\nhello again\n");
  EXPECT_EQ(done.code, 0);
  EXPECT_THAT(done.out, HasSubstr("Let me show you a turn.")) << done.errors;
  const std::size_t first = done.out.find("Let me show");
  EXPECT_NE(done.out.find("Let me show", first + 1), std::string::npos) << "the agent begins anew";
}
TEST_F(Chat, AProgramOfAnyAgent) {
  const Finished done =
      chat("long 2\n", {"acp", "--", parlance_program(), "serve-acp", "--state", path("other"), "--rehearsal-pace-ms", "0"});
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.out, HasSubstr("w1 w2\n"));
  const Finished none = chat("long 2\n", {"acp", "--", "/no/such/agent"});
  EXPECT_NE(none.code, 0);
  EXPECT_THAT(none.errors, HasSubstr("/no/such/agent"));
}
TEST_F(Chat, AProgramOfAnyAgentIsNamedAgainToContinue) {
  const Words program{"--", parlance_program(), "serve-acp", "--state", path("other"), "--rehearsal-pace-ms", "0"};
  const auto with_program_behind = [&program](Words words) {
    words.insert(words.end(), program.begin(), program.end());
    return words;
  };
  ASSERT_EQ(chat("long 2\n", with_program_behind({"acp"})).code, 0);
  const Finished refused = chat("long 3\n", {"--resume"});
  EXPECT_EQ(refused.code, 2) << refused.errors;
  const std::string remedy = "parlance chat --resume ";
  ASSERT_THAT(refused.errors, AllOf(HasSubstr(remedy), HasSubstr(" -- COMMAND"), Not(HasSubstr("parlance run"))));
  const std::size_t at = refused.errors.find(remedy) + remedy.size();
  const std::string id = refused.errors.substr(at, refused.errors.find(' ', at) - at);
  const Finished again = chat("long 3\n", with_program_behind({"--resume", id}));
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_THAT(again.out, HasSubstr("w1 w2 w3\n"));
  ASSERT_EQ(chat("long 4\n").code, 0);
  EXPECT_THAT(chat("/exit\n", with_program_behind({"acp", "--resume"})).errors, HasSubstr("> long 3")) << "the newest of acp";
  EXPECT_THAT(chat("", {"claude", "--resume"}).errors, HasSubstr("there is no conversation with claude of " + work()));
  EXPECT_THAT(chat("/agent acp\n").errors, HasSubstr("parlance chat acp -- COMMAND"));
}
TEST_F(Chat, OutsideOfAnEditorTheChecksAreOfFixedData) {
  const Finished done = chat("/testvs\n/vscode test\n");
  EXPECT_THAT(done.errors,
              AllOf(HasSubstr("Mode: Mock"), HasSubstr("✓ Active file       /path/to/project/src/main.cpp (7 lines)"),
                    HasSubstr("line 42, column 10"), HasSubstr("6 of 6 work")));
}

TEST_F(Chat, ASignalLeavesNoProcess) {
  const auto program = launch(with_program({"chat", "--state", path("state"), "--cwd", work(), "--approve", "all"}));
  type(*program, "run echo $$ > pid; exec sleep 1000\n");
  until_file(work() + "/pid", [&] { return read_file(work() + "/pid").ends_with('\n'); }, "the command");
  const Watched command(static_cast<pid_t>(std::stoi(read_file(work() + "/pid"))));
  ASSERT_TRUE(command.runs());
  ASSERT_EQ(::kill(program->child().pid(), SIGTERM), 0);
  EXPECT_TRUE(command.ends_within());
  until([&] { return program->ended(); }, "the end of the chat");
}

// ---- from an editor -------------------------------------------------------------------------------------------------------

class ChatInEditor : public Chat {
 protected:
  void SetUp() override { write_file(work() + "/main.cpp", "int main() {\n  return 0; // é\n}\n"); }
  Finished in_editor(std::string_view input, Words flags = {}, Words of_chat = {}) {
    Words words{"rehearse", "editor", "--workspace", work(), "--active", "main.cpp", "--selection", "return 0"};
    words.insert(words.end(), flags.begin(), flags.end());
    words.insert(words.end(),
                 {"--", parlance_program(), "chat", "--state", path("state"), "--cwd", work(), "--rehearsal-pace-ms", "0"});
    words.insert(words.end(), of_chat.begin(), of_chat.end());
    return parlance(std::move(words), std::string(input) + "/exit\n");
  }
};

TEST_F(ChatInEditor, TheSelectionIsSent) {
  const Finished done = in_editor("long 2\n");
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.out, AllOf(HasSubstr("With your message came what you look at in the editor."), HasSubstr("w1 w2")));
  EXPECT_THAT(done.errors, HasSubstr("✓ RPC client started"));
  EXPECT_THAT(done.errors, HasSubstr(R"("method":"getActiveFile")"));
  EXPECT_THAT(done.errors, HasSubstr(R"("method":"status","params":{"state":"thinking")"));
}
TEST_F(ChatInEditor, TheEditorLearnsTheAgentsActionAndWaiting) {
  const Finished done = in_editor("run echo hello\n");
  std::vector<std::string> states;
  const std::string status = R"("method":"status","params":)";
  for (std::size_t at = 0; (at = done.errors.find(status, at)) != std::string::npos; ++at)
    states.push_back(done.errors.substr(at + status.size(), done.errors.find('\n', at) - at - status.size() - 1));
  EXPECT_THAT(states,
              testing::ElementsAre(R"({"state":"thinking"})", R"({"state":"tool","text":"echo hello"})",
                                   R"({"state":"waiting","text":"echo hello"})", R"({"state":"tool","text":"echo hello"})",
                                   R"({"state":"thinking"})", R"({"state":"idle"})"))
      << done.errors;
}
TEST_F(ChatInEditor, AnEditIsShownAndDoneOnlyAfterAcceptance) {
  const Finished done = in_editor("edit main.cpp return 0 => return 42\n");
  EXPECT_EQ(done.code, 0) << done.errors;
  EXPECT_THAT(done.errors, HasSubstr(R"("method":"openDiff")"));
  EXPECT_EQ(read_file(work() + "/main.cpp"), "int main() {\n  return 42; // é\n}\n");
}
TEST_F(ChatInEditor, ARejectedEditIsNotDone) {
  const Finished done = in_editor("edit main.cpp return 0 => return 42\nrun touch ran\n", {"--decide", "reject"});
  EXPECT_THAT(done.errors, HasSubstr(R"("method":"openDiff")"));
  EXPECT_THAT(done.errors, HasSubstr(R"("method":"confirmDialog")"));
  EXPECT_EQ(read_file(work() + "/main.cpp"), "int main() {\n  return 0; // é\n}\n");
  EXPECT_FALSE(std::filesystem::exists(work() + "/ran"));
}
TEST_F(ChatInEditor, SixChecksOfTheRealThing) {
  const Finished done = in_editor("/testvs\n", {"--quiet"});
  EXPECT_THAT(done.out + done.errors, AllOf(HasSubstr("Mode: VSCode RPC"), HasSubstr(work() + "/main.cpp (4 lines)"),
                                            HasSubstr("\"return 0\""), HasSubstr("6 of 6 work")));
  EXPECT_EQ(read_file(work() + "/main.cpp"), "int main() {\n  return 0; // é\n}\n") << "nothing has changed";
}
TEST_F(ChatInEditor, ARejectedCheckIsNoPass) {
  const Finished done = in_editor("/testvs\n", {"--quiet", "--decide", "reject"});
  EXPECT_THAT(done.out + done.errors,
              AllOf(HasSubstr("✗ Apply a change"), HasSubstr("Rejected by user"), HasSubstr("5 of 6 work")));
}

}  // namespace
}  // namespace parlance::test
