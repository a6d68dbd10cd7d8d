// SPDX-License-Identifier: Apache-2.0
// `parlance runner` beside a gateway: its agents work in its folders, and the gateway decides about their actions.
#include "tests/system/runner.h"

#include <filesystem>

#include "tests/system/tls_proxy.h"

namespace parlance::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Runner : public RunnerTest {
 protected:
  void begin() {
    start_up();
    runner = launch_runner(base, token);
    until_connected(*runner);
    page = connect();
  }
  std::string notes() const { return farm() + "/notes.txt"; }

  std::unique_ptr<Program> runner;
  std::unique_ptr<PageClient> page;
};

TEST_F(Runner, ItsAgentWorksInItsFolderAndThePersonAtTheGatewayDecides) {
  begin();
  const std::string id = on_runner(*page);
  prompt(*page, id, "write notes.txt hello");
  const json::Value ask = open_ask(*page);
  EXPECT_THAT(text_at(ask, {"why"}), AllOf(HasSubstr("parlance (rehearsal) on box"), HasSubstr(", as "), HasSubstr("@")));
  EXPECT_FALSE(std::filesystem::exists(notes()));
  done(*page, "answer", answer_to(ask, "allow_once"));
  until_turns(*page, id, 1);
  EXPECT_EQ(read_file(notes()), "hello\n");
  EXPECT_FALSE(std::filesystem::exists(work() + "/notes.txt"));
  EXPECT_EQ(page->count(id, "error"), 0U);

  prompt(*page, id, "read notes.txt");
  until_turns(*page, id, 2);
  EXPECT_EQ(page->count(id, "tool_confirmation"), 1U) << "the gateway lets it read in the folder without a question";

  prompt(*page, id, "edit notes.txt hello => bye");
  done(*page, "answer", answer_to(open_ask(*page), "reject_once"));
  until_turns(*page, id, 3);
  EXPECT_EQ(read_file(notes()), "hello\n");

  ::kill(runner->child().pid(), SIGTERM);
  until([&] { return runner->ended(); }, "the end of the runner");
  EXPECT_EQ(runner->child().exit_status()->code, 0) << runner->errors;
  until_no_process_of("box");
}

TEST_F(Runner, RulesAndModesBelongToTheGateway) {
  begin();
  const std::string id = on_runner(*page);
  prompt(*page, id, "write notes.txt one");
  done(*page, "answer", answer_to(open_ask(*page), "allow_always"));
  until_turns(*page, id, 1);
  prompt(*page, id, "write notes.txt two");
  until_turns(*page, id, 2);
  EXPECT_EQ(read_file(notes()), "two\n") << "by the rule, without a question";
  EXPECT_EQ(page->count(id, "tool_confirmation"), 1U);

  const std::string free = on_runner(*page, "box", R"(,"mode":"yolo")");
  prompt(*page, free, "run printf here > made");
  until_turns(*page, free, 1);
  EXPECT_EQ(read_file(farm() + "/made"), "here");
  prompt(*page, id, "run printf there > made");
  const json::Value ask = open_ask(*page);  // the other one's mode is its own
  done(*page, "answer", answer_to(ask, "reject_once"));
  until_turns(*page, id, 3);
  EXPECT_EQ(read_file(farm() + "/made"), "here");
}

// With the token, the program could act as a person at the gateway.
TEST_F(Runner, ProgramsOfItsAgentsDoNotHaveItsToken) {
  begin();
  const std::string id = on_runner(*page, "box", R"(,"mode":"yolo")");
  prompt(*page, id, "run env > variables");
  until_turns(*page, id, 1);
  EXPECT_THAT(read_file(farm() + "/variables"), AllOf(HasSubstr(runner_mark), Not(HasSubstr(token))));
}

TEST_F(Runner, ARunnerStoppedDuringATurnLeavesTheTurnInterruptedAndNoProcess) {
  begin();
  const std::string id = on_runner(*page, "box", R"(,"mode":"yolo")");
  prompt(*page, id, "run sleep 600");
  until_observed([&] { return processes_of("box").size() > 3; }, "the command");
  ::kill(runner->child().pid(), SIGTERM);
  until([&] { return runner->ended(); }, "the end of the runner");
  EXPECT_EQ(runner->child().exit_status()->code, 0) << runner->errors;
  until_no_process_of("box");
  until_turns(*page, id, 1);
  EXPECT_EQ(text_at(page->last(id, "error"), {"code"}), "interrupted");
}

TEST_F(Runner, AProgramMayTalkWithItsAgentsToo) {
  begin();
  const auto response =
      answer("POST", "v1/chat/completions", R"({"model":"box/parlance","messages":[{"role":"user","content":"list"}]})");
  EXPECT_EQ(response.status, 200) << response.body;
  EXPECT_THAT(response.body, Not(HasSubstr("not offered")));
}

// A folder of the runner is checked there by its real path.
TEST_F(Runner, OnlyItsFoldersCanBeOpened) {
  begin();
  EXPECT_THAT(text_at(refused(*page, "new", R"("agent":"box/parlance","folder":"/etc")"), {"message"}),
              AllOf(HasSubstr("does not offer /etc"), HasSubstr(farm())));
  std::filesystem::create_directory_symlink("/etc", farm() + "/link");
  const auto begun_in = [&](const std::string& folder) {
    const std::string id =
        text_at(done(*page, "new", R"("agent":"box/parlance","folder":")" + folder + "\""), {"conversation", "id"});
    open(*page, id);
    prompt(*page, id, "list");
    until_turns(*page, id, 1);
    return text_at(page->last(id, "error"), {"message"});
  };
  EXPECT_THAT(begun_in(farm() + "/link"), HasSubstr("not offered by this runner"));
  EXPECT_THAT(begun_in(farm() + "/none"), HasSubstr("no folder on this machine"));
  std::filesystem::create_directory(farm() + "/below");
  EXPECT_EQ(begun_in(farm() + "/below"), "null");  // no error
}

TEST_F(Runner, ARunnerKilledDuringATurnLeavesTheTurnInterruptedAndContinuesAfterItsReturn) {
  begin();
  const std::string id = on_runner(*page);
  prompt(*page, id, "slow 400 50");
  until([&] { return !page->text(id).empty(); }, "the beginning of the text");
  ::kill(runner->child().pid(), SIGKILL);
  until_turns(*page, id, 1);
  EXPECT_EQ(text_at(page->last(id, "error"), {"code"}), "interrupted");
  until_no_process_of("box");
  EXPECT_THAT(text_at(refused(*page, "prompt", prompt_of(id, "help")), {"message"}),
              AllOf(HasSubstr("the runner box is not connected since 20"), HasSubstr("parlance runner --name box")));
  done(*page, "set", R"("conversation":")" + id + R"(","title":"still here")");  // features without an agent continue

  runner = launch_runner(base, token);
  until_connected(*runner);
  prompt(*page, id, "help");
  until_turns(*page, id, 2);
  EXPECT_EQ(text_at(page->last(id, "turn_end"), {"stop_reason"}), "end_turn");
  EXPECT_TRUE(ask_in_state(*page, "open").is_null()) << "its session is resumed, and no new session begins";
}

// A session outside the permitted folders is not resumed, with a reason.
TEST_F(Runner, ASessionOfAFolderNoLongerOfferedStaysClosed) {
  begin();
  const std::string id = on_runner(*page);
  prompt(*page, id, "help");
  until_turns(*page, id, 1);
  ::kill(runner->child().pid(), SIGTERM);
  until_no_process_of("box");
  std::filesystem::create_directories(path("other"));
  Words words = runner_words(base, "box");
  *std::ranges::find(words, farm()) = path("other");
  runner = launch(words, {{"PARLANCE_TOKEN", token}, {runner_mark, folder() + "box"}});
  until_connected(*runner);
  prompt(*page, id, "help");
  const json::Value ask = open_ask(*page);
  EXPECT_THAT(text_at(ask, {"why"}), HasSubstr("is not offered by this runner"));
  done(*page, "answer", answer_to(ask, "reject_once"));
  until_turns(*page, id, 2);
}

TEST_F(Runner, ARestartedGatewayIsFoundAgain) {
  begin();
  const std::string id = on_runner(*page);
  prompt(*page, id, "slow 400 50");
  until([&] { return !page->text(id).empty(); }, "the beginning of the text");
  EXPECT_GT(processes_of("box").size(), 1U);
  ::kill(service_pid("gateway"), SIGKILL);
  until_observed([&] { return processes_of("box").size() == 1; }, "the end of what ran there");
  until_connected(*runner, 2);  // `up` restarts the gateway at the same address
  page = connect();
  open(*page, id);
  until_turns(*page, id, 1);
  EXPECT_EQ(text_at(page->last(id, "error"), {"code"}), "interrupted");
  prompt(*page, id, "write notes.txt again");
  done(*page, "answer", answer_to(open_ask(*page), "allow_once"));
  until_turns(*page, id, 2);
  EXPECT_EQ(read_file(notes()), "again\n");
  ::kill(runner->child().pid(), SIGTERM);
  until_no_process_of("box");
}

TEST_F(Runner, OfTwoWithTheSameNameTheNewerStaysAndTheOlderIsInformed) {
  begin();
  const std::string id = on_runner(*page);
  prompt(*page, id, "write notes.txt first");
  open_ask(*page);
  Words again = runner_words(base, "box");
  *std::ranges::find(again, path("runner-box")) = path("runner-other");
  const auto newer = launch(again, {{"PARLANCE_TOKEN", token}, {runner_mark, folder() + "newer"}});
  until_connected(*newer);
  until([&] { return runner->ended(); }, "the end of the older one");
  EXPECT_NE(runner->child().exit_status()->code, 0);
  EXPECT_THAT(runner->errors, AllOf(HasSubstr("another runner with the name box has connected"), HasSubstr("--name")));
  until_no_process_of("box");
  until_turns(*page, id, 1);
  EXPECT_EQ(text_at(page->last(id, "error"), {"code"}), "interrupted");
  EXPECT_FALSE(std::filesystem::exists(notes()));
  const std::string other = on_runner(*page);
  prompt(*page, other, "help");
  until_turns(*page, other, 1);
}

TEST_F(Runner, FaultsAreReportedWithTheirRemedy) {
  start_up();
  std::filesystem::create_directories(farm());
  const auto tried = [&](Words words, const std::string& with) { return run(std::move(words), "", {{"PARLANCE_TOKEN", with}}); };
  const Finished wrong = tried(runner_words(base, "box"), "the-wrong-token-of-somebody-else");
  EXPECT_NE(wrong.code, 0);
  EXPECT_THAT(wrong.errors, AllOf(HasSubstr("check the token"), Not(HasSubstr("the-wrong-token"))));
  EXPECT_THAT(tried(runner_words(base, "a/b"), token).errors, HasSubstr("give one with --name"));
  Words words = runner_words(base, "box");
  words.insert(words.end(), {"--agent", "nobody"});
  EXPECT_THAT(tried(words, token).errors, HasSubstr("this machine has no nobody; it has parlance"));
  EXPECT_THAT(tried(with_program({"runner", "--to=http://x"}), token).errors, HasSubstr("give wss://HOST[:PORT]/runner"));
  EXPECT_THAT(tried(with_program({"runner", "--to=ws://127.0.0.1:1", "--folder", "/"}), token).errors,
              HasSubstr("/ is all there is"));
  EXPECT_THAT(tried(with_program({"runner", "--to=ws://127.0.0.1:1", "--token-file", "/dev/null"}), token).errors,
              HasSubstr("there is no token in /dev/null"));
}

TEST_F(Runner, OverTlsOnlyWithATrustedCertificateAndACutIsRepaired) {
  start_up();
  TlsProxy proxy(loop, static_cast<std::uint16_t>(std::stoi(base.substr(base.rfind(':') + 1))));
  std::filesystem::create_directories(farm());
  Words words = runner_words(base, "box");
  *std::ranges::find_if(words, [](const std::string& word) { return word.starts_with("--to="); }) =
      "--to=wss://127.0.0.1:" + std::to_string(proxy.port());
  const auto stranger = launch(words, {{"PARLANCE_TOKEN", token}});
  until([&] { return stranger->ended(); }, "the end of one that trusts nobody");
  EXPECT_NE(stranger->child().exit_status()->code, 0);
  EXPECT_THAT(stranger->errors, HasSubstr("certificate"));

  runner =
      launch(words, {{"PARLANCE_TOKEN", token}, {"SSL_CERT_FILE", proxy.certificate_file()}, {runner_mark, folder() + "box"}});
  until_connected(*runner);
  page = connect();
  const std::string id = on_runner(*page, "box", R"(,"mode":"yolo")");
  prompt(*page, id, "run sleep 600");
  until_observed([&] { return processes_of("box").size() > 3; }, "the command");
  proxy.cut();
  until_turns(*page, id, 1);
  EXPECT_EQ(text_at(page->last(id, "error"), {"code"}), "interrupted");
  until_observed([&] { return processes_of("box").size() == 1; }, "the end of what ran there");
  until_connected(*runner, 2);
  prompt(*page, id, "help");
  until_turns(*page, id, 2);
  EXPECT_EQ(text_at(page->last(id, "turn_end"), {"stop_reason"}), "end_turn");
  EXPECT_EQ(page->count(id, "tool_confirmation"), 0U) << "its session is resumed, and no new session begins";
  ::kill(runner->child().pid(), SIGTERM);
  until_no_process_of("box");
}

// Any program with the token may connect and send any message.
TEST_F(Runner, InvalidMessagesEndTheConnection) {
  begin();
  const std::string id = on_runner(*page);
  for (
      const char* said :
      {"no JSON", "[]", R"({"jsonrpc":"2.0","id":1,"method":"_parlance/offer","params":{"name":"../x"}})",
       R"({"jsonrpc":"2.0","id":1,"method":"_parlance/offer","params":{"name":"x","account":"a\nb","host":"h","agents":[{"id":"a","name":"A"}],"folders":["/f"]}})",
       R"({"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"nobodys"}})"}) {
    auto frames = get(connect_websocket(
        loop, {.url = "ws" + base.substr(4) + "runner", .headers = {{.name = "Authorization", .value = "Bearer " + token}}}));
    ASSERT_TRUE(frames) << frames.error().message;
    static_cast<void>((*frames)->send(said));
    const auto reply = get([](Frames& from) -> Task<std::string> {
      const auto batch = co_await read_frames(from);
      co_return batch && !batch->empty() ? std::string(batch->front()) : "ended";
    }(**frames));
    EXPECT_THAT(reply, testing::AnyOf(HasSubstr("\"error\""), "ended")) << said;
  }
  prompt(*page, id, "help");
  until_turns(*page, id, 1);
}

}  // namespace
}  // namespace parlance::test
