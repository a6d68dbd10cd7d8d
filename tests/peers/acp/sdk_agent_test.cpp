// SPDX-License-Identifier: Apache-2.0
// A scripted agent on the reference SDK (2.4.0) behind our client and driver, on stdio, on WebSocket and over HTTP. The agent
// checks all input by its own schemas, and answers invalid input with -32602.
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/plan.h"
#include "parlance/hub/conversation/prompt.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"
#include "tests/peers/acp/agent_fixture.h"

namespace parlance::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

enum class Way { stdio, websocket, http };

class AcpSdkAgent : public AcpAgentTest, public ::testing::WithParamInterface<Way> {
 protected:
  void SetUp() override {
    needs("acp-sdk", "@agentclientprotocol/sdk");
    if (IsSkipped() || HasFatalFailure()) return;
    const std::vector<std::string> command{PARLANCE_NODE, PARLANCE_SOURCE_DIR "/tests/peers/acp/sdk_agent.mjs"};
    driver::AcpAgentSettings settings{.name = "The SDK's agent", .command = command};
    if (GetParam() != Way::stdio) {
      const std::string ready = started({command[0], command[1], "--port", "0"});
      settings.url = json::parse_or_null(ready).text_or("url", "");
      settings.command.clear();
      if (GetParam() == Way::http && settings.url.starts_with("ws://")) settings.url.replace(0, 2, "http");
      ASSERT_FALSE(settings.url.empty()) << ready;
    }
    open_hub(std::move(settings));
  }
};

TEST_P(AcpSdkAgent, EchoesAndTellsEveryKindOfUpdate) {
  const std::string id = conversation();
  EXPECT_EQ(turn(id, "hello"), "echo: hello (1)");
  EXPECT_EQ(hub->find(id)->agent_session.id, "s-1");
  turn(id, "scenario:updates");
  EXPECT_EQ(last_stop(id), hub::StopReason::end_turn) << last_failure(id);
  EXPECT_EQ(events<hub::event::ThinkingContent>(id).front().text, "thinking");
  EXPECT_THAT(said(id), HasSubstr("[picture, image/png, 3 bytes]"));
  EXPECT_EQ(events<hub::event::Plan>(id).size(), 1U);
  EXPECT_EQ(events<hub::event::ToolEnd>(id).front().state, hub::ToolEndState::done);
  EXPECT_EQ(events<hub::event::ToolUpdate>(id).back().content->size(), 3U);
  EXPECT_EQ(events<hub::event::Commands>(id).back().commands.size(), 2U);
  EXPECT_EQ(events<hub::event::Usage>(id).back().context->used, 1200U);
  EXPECT_EQ(events<hub::event::Notice>(id).front().text, "Careful");
  EXPECT_EQ(hub->find(id)->title, "A title");
}

TEST_P(AcpSdkAgent, AFloodLosesNoUpdate) {
  const std::string id = conversation();
  EXPECT_EQ(turn(id, R"(scenario:flood {"n":10000,"text":"0123456789"})").size(), 100'000U);
}

TEST_P(AcpSdkAgent, PermissionsAreAnsweredByKind) {
  const std::string id = conversation();
  for (const auto& [kind, option] :
       {std::pair{hub::OptionKind::allow_once, "id-allow_once"}, std::pair{hub::OptionKind::reject_once, "id-reject_once"},
        std::pair{hub::OptionKind::reject_always, "id-reject_always"}}) {
    begin(id, "scenario:permission");
    const hub::Ask ask = asked();
    EXPECT_EQ(ask.detail, "rm x");
    answer(ask, kind);
    until_idle(id);
    EXPECT_THAT(said(id), HasSubstr(R"({"outcome":"selected","optionId":")" + std::string(option) + "\"}"));
  }
}

TEST_P(AcpSdkAgent, FilesGoThroughTheWorkspaceOfTheConversation) {
  const std::string id = conversation(hub::Mode::yolo);
  EXPECT_THAT(turn(id, R"(scenario:fs {"path":")" + base + R"(/work/a.txt","content":"one\ntwo\nthree\n","line":2,"limit":1})"),
              HasSubstr(R"(fs {"content":"two"})"))
      << last_failure(id);
  EXPECT_EQ(file("a.txt"), "one\ntwo\nthree\n");
  turn(id, R"(scenario:fs {"path":"/etc/parlance-test"})");
  EXPECT_EQ(last_stop(id), hub::StopReason::error);
  EXPECT_FALSE(std::filesystem::exists("/etc/parlance-test"));
}

// Tests independent of the transport, or possible only with our own program.
class AcpSdkProgram : public AcpSdkAgent {
 protected:
  std::string edit(const std::string& path, const std::string& more) {
    return R"(scenario:edit {"path":")" + base + "/work/" + path + "\"," + more + "}";
  }
  // How often a person is asked until the turn ends; all is allowed.
  int asks_of(const std::string& id, const std::string& prompt) {
    begin(id, prompt);
    std::string last;
    for (int count = 0;; ++count) {
      std::optional<hub::Ask> open;
      until(
          [&] {
            for (const hub::Ask& ask : open_asks(*hub))
              if (ask.state == hub::AskState::open && ask.id != last) open = ask;
            return open || hub->find(id)->state == hub::ConversationState::idle;
          },
          "a question or the end");
      if (!open) return count;
      last = open->id;
      answer(*open, hub::OptionKind::allow_once);
    }
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(base + "/work/" + name) << text; }
};

TEST_P(AcpSdkProgram, AnAllowedChangeNeedsNoSecondApproval) {
  const std::string id = conversation();
  EXPECT_EQ(asks_of(id, edit("new.txt", R"("text":"one\n")")), 1) << last_failure(id);
  EXPECT_EQ(file("new.txt"), "one\n");
  EXPECT_EQ(asks_of(id, edit("new.txt", R"("old":"one\n","text":"two\n")")), 1);
  EXPECT_EQ(file("new.txt"), "two\n");
  write("part.txt", "a b c\n");
  EXPECT_EQ(asks_of(id, edit("part.txt", R"("old":"b","text":"B","written":"a B c\n")")), 1) << "the part alone was shown";
  EXPECT_EQ(file("part.txt"), "a B c\n");
}

TEST_P(AcpSdkProgram, AnyOtherChangeNeedsItsOwnApproval) {
  const std::string id = conversation();
  EXPECT_EQ(asks_of(id, edit("a.txt", R"("text":"harmless","written":"harmful")")), 2);
  EXPECT_EQ(asks_of(id, edit("a.txt", R"("old":"harmless","text":"x")")), 2) << "the file is another than was shown";
  EXPECT_EQ(asks_of(id, edit("b.txt", R"("text":"x","at":")" + base + R"(/work/c.txt")")), 2);
  write("secret.txt", "");
  std::filesystem::create_symlink(base + "/work/secret.txt", base + "/work/link.txt");
  EXPECT_EQ(asks_of(id, edit("link2.txt", R"("text":"x","at":")" + base + R"(/work/link.txt")")), 2);
}

TEST_P(AcpSdkProgram, ADeathInAnyStateEndsTheTurnAndTheNextTurnBegins) {
  const std::string id = conversation(hub::Mode::yolo);
  std::ofstream(base + "/work/a.txt") << "text";
  const std::string path = R"({"path":")" + base + R"(/work/a.txt"})";
  for (const std::string& state :
       {std::string("{}"),
        std::string(R"({"method":"session/request_permission","params":{"toolCall":{"toolCallId":"t","title":"x"},)"
                    R"("options":[{"optionId":"y","name":"y","kind":"allow_once"}]}})"),
        R"({"method":"fs/read_text_file","params":)" + path + "}",
        std::string(R"({"method":"elicitation/create","params":{"mode":"form","message":"x","requestedSchema":)"
                    R"({"type":"object","properties":{"db":{"type":"string"}}}}})"),
        std::string(R"({"method":"terminal/create","params":{"command":"sleep 1000","args":[]}})")}) {
    SCOPED_TRACE(state);
    begin(id, "scenario:die " + state);
    until_idle(id);
    EXPECT_EQ(last_stop(id), hub::StopReason::error);
    EXPECT_THAT(last_failure(id), HasSubstr("SIGKILL"));
    begin(id, "and on");
    answer(asked(), hub::OptionKind::allow_once);  // no stored sessions: a new session
    until_idle(id);
    EXPECT_THAT(said(id), HasSubstr("echo: and on"));
  }
}

TEST_P(AcpSdkProgram, ADeathBeforeTheTurnsBeginningEndsTheTurnToo) {
  for (const char* method : {"initialize", "session/new", "session/set_mode"}) {
    SCOPED_TRACE(method);
    driver::AcpAgentSettings settings = agent;
    settings.environment.emplace_back("DIE_AT", method);
    open_hub(std::move(settings));
    const std::string id = conversation(hub::Mode::plan);
    begin(id, "hello");
    until_idle(id);
    EXPECT_EQ(last_stop(id), hub::StopReason::error);
    EXPECT_THAT(last_failure(id), HasSubstr("SIGKILL"));
  }
}

// The client alone, for features unused by the hub.
TEST_P(AcpSdkProgram, SessionsAreListedClosedAndDeletedAndTheAccountIsLeft) {
  struct RecordingHandler final : acp::ClientHandler {
    void on_update(acp::SessionUpdate) override {}
  } nobody;
  auto client = acp::Client::spawn(loop, {.command = agent.command, .set = {{"PARLANCE_PEERS", peers_folder()}}}, nobody);
  ASSERT_TRUE(client);
  Scope scope(loop);
  scope.start([](acp::Client& one) -> Task<void> { static_cast<void>(co_await one.run()); }(**client));
  ASSERT_TRUE(loop.block_on((*client)->connect()));
  const auto one = loop.block_on((*client)->new_session({.cwd = base + "/work"}));
  const auto two = loop.block_on((*client)->new_session({.cwd = base + "/work"}));
  ASSERT_TRUE(one && two);
  EXPECT_TRUE(loop.block_on((*client)->close_session(*one->session_id)));
  EXPECT_TRUE(loop.block_on((*client)->delete_session(*two->session_id)));
  EXPECT_FALSE(loop.block_on((*client)->close_session("nobody's")));
  const auto left = loop.block_on((*client)->list_sessions());
  ASSERT_TRUE(left);
  EXPECT_EQ(left->sessions.size(), 1U);
  EXPECT_EQ(left->sessions.front().session_id, *one->session_id);
  EXPECT_TRUE(loop.block_on((*client)->logout()));
  static_cast<void>(loop.block_on((*client)->stop()));
}

TEST_P(AcpSdkAgent, TerminalsRunWithTheirExitCode) {
  const std::string id = conversation(hub::Mode::yolo);
  EXPECT_THAT(turn(id, "scenario:terminal {}"), HasSubstr(R"("exitCode":3)")) << last_failure(id);
  EXPECT_THAT(said(id), HasSubstr(R"("output":"hello\n")"));
}

TEST_P(AcpSdkAgent, AFormIsAQuestion) {
  const std::string id = conversation();
  begin(id, "scenario:elicit");
  const hub::Ask ask = asked();
  EXPECT_EQ(ask.kind, hub::AskKind::question);
  ASSERT_TRUE(loop.block_on(hub->submit(
      ask.conversation, hub::AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .answers = {{"postgres"}}}})));
  until_idle(id);
  EXPECT_THAT(said(id), HasSubstr(R"({"action":"accept","content":{"db":"postgres"}})")) << last_failure(id);
}

TEST_P(AcpSdkAgent, UnsupportedMethodsAreRefusedByTheProtocol) {
  const std::string id = conversation();
  EXPECT_THAT(turn(id, R"(scenario:call {"method":"_vendor/hello","params":{}})"), HasSubstr("error -32601"));
  EXPECT_THAT(turn(id, "scenario:error"), ::testing::IsEmpty());
  EXPECT_THAT(last_failure(id), HasSubstr("scripted failure: x"));
  begin(id, "still there");
  until_idle(id);
  EXPECT_THAT(said(id), HasSubstr("echo: still there"));
}

TEST_P(AcpSdkAgent, AStopEndsTheTurn) {
  const std::string id = conversation();
  begin(id, "scenario:wait");
  until([&] { return said(id) == "waiting"; }, "the agent to wait");
  ASSERT_TRUE(hub->submit_at_once(id, hub::StopTurn{}));
  until_idle(id);
  EXPECT_EQ(last_stop(id), hub::StopReason::cancelled);
  EXPECT_THAT(turn(id, "and on"), HasSubstr("echo: and on"));
}

TEST_P(AcpSdkAgent, OptionsAreOfferedAndSet) {
  const std::string id = conversation();
  turn(id, "hello");
  ASSERT_TRUE(loop.block_on(hub->submit(id, hub::SetOption{.option = "level", .value = "high"})));
  ASSERT_TRUE(loop.block_on(hub->submit(id, hub::SetOption{.option = "web", .value = "true"})));
  turn(id, "again");
  EXPECT_EQ(last_failure(id), "") << "the SDK refuses a boolean that comes as text";
  const auto options = hub->find(id)->options.value();
  EXPECT_EQ(hub::option_value(options, "level"), "high");
  EXPECT_EQ(hub::option_value(options, "web"), "true");
}

TEST_P(AcpSdkAgent, PicturesAndFilesGoAlong) {
  const std::string id = conversation();
  hub::Prompted prompted;
  const auto begun = loop.block_on(hub->submit(
      id, hub::SendPrompt{.text = "look",
                          .attachments = {{.about = {.media_type = "image/png", .name = "a.png"}, .data = "abc"},
                                          {.about = {.media_type = "text/plain", .name = "b.txt"}, .data = "words"}}}));
  ASSERT_TRUE(begun) << begun.error().message;
  until_idle(id);
  EXPECT_EQ(said(id), "echo: look (3)") << last_failure(id);
}

INSTANTIATE_TEST_SUITE_P(Over, AcpSdkProgram, ::testing::Values(Way::stdio), [](const auto&) { return "Stdio"; });
INSTANTIATE_TEST_SUITE_P(Over, AcpSdkAgent, ::testing::Values(Way::stdio, Way::websocket, Way::http), [](const auto& way) {
  return way.param == Way::stdio ? "Stdio" : way.param == Way::websocket ? "WebSocket" : "Http";
});

}  // namespace
}  // namespace parlance::test
