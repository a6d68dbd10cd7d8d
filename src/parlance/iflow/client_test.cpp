// SPDX-License-Identifier: Apache-2.0
#include "parlance/iflow/client.h"

#include "parlance/iflow/test_support.h"

namespace parlance::iflow {
namespace {

using namespace std::chrono_literals;
using test::said;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Outcome = ToolCallConfirmationOutcome;

class ClientTest : public test::ScriptedAgent {
 protected:
  // Connected; the test fails otherwise.
  Client& connected(Options with) {
    client.emplace(loop, std::move(with));
    const auto done = get(client->connect());
    EXPECT_TRUE(done) << done.error().message;
    return *client;
  }
  Client& connected() { return connected(options()); }
  // Messages as JSON, up to the end of the turn.
  std::vector<std::string> turn(std::string prompt = "go") {
    EXPECT_TRUE(get(client->send_message(std::move(prompt))));
    std::vector<std::string> out;
    while (!client->queue().empty()) out.push_back(json::to_text(to_json(*get(client->receive_message()))));
    return out;
  }
  ToolCallMessage next_call() { return std::get<ToolCallMessage>(*get(client->receive_message())); }

  // The agent asks for a permission and sends the answer as text.
  void will_ask(std::vector<std::string> ids = {"proceed_once", "proceed_always", "proceed_always_tool", "proceed_always_server",
                                                "cancel"}) {
    script.prompt = [ids](const acp::Prompt& prompt, Peer& to) -> Task<Result<acp::PromptResult>> {
      acp::RequestPermission asked{.session_id = prompt.session_id,
                                   .tool_call = {.tool_call_id = "t-1",
                                                 .title = "Shell: ls",
                                                 .kind = wire::Open<acp::ToolKind>{acp::ToolKind::execute},
                                                 .type = "execute"}};
      for (const std::string& id : ids) {
        using enum acp::PermissionKind;
        const auto kind = id == "cancel" ? reject_once : id == "proceed_once" ? allow_once : allow_always;
        asked.options.push_back({.option_id = id, .name = id, .kind = {kind}});
      }
      const auto reply = co_await to.call(acp::method::request_permission, std::move(asked), no_deadline);
      const auto* selected = reply ? std::get_if<acp::Selected>(&reply->outcome.value) : nullptr;
      static_cast<void>(to.notify(acp::method::update, said(selected != nullptr ? selected->option_id : "cancelled")));
      co_return acp::PromptResult{};
    };
  }
  std::string text_of_turn() {
    std::string out;
    while (!client->queue().empty()) {
      const auto message = *get(client->receive_message());
      if (const auto* text = std::get_if<AssistantMessage>(&message)) out += text->text.value_or("");
    }
    return out;
  }

  std::optional<Client> client;
};

TEST_F(ClientTest, ATurnArrivesMessageByMessage) {
  will_say({said("hello"), test::update_of(R"({"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}})"),
            test::update_of(
                R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"Read","status":"pending","toolName":"read_file"})")});
  connected();
  EXPECT_EQ(client->session_id(), "s-1");
  EXPECT_THAT(
      turn(),
      ElementsAre(
          R"({"type":"assistant","chunk":{"text":"hello"}})", R"({"type":"assistant","chunk":{"thought":"hm"}})",
          R"({"type":"tool_call","id":"t","label":"Read","icon":{"type":"emoji","value":"🔧"},"status":"pending","toolName":"read_file"})",
          R"({"type":"task_finish","stopReason":"end_turn"})"));
  EXPECT_THAT(script.asked, ElementsAre("initialize", "session/new", "session/prompt"));
}

TEST_F(ClientTest, ReceivedMessagesNeverChange) {
  will_say(
      {test::update_of(R"({"sessionUpdate":"tool_call","toolCallId":"t","title":"Read","status":"pending"})"),
       test::update_of(
           R"({"sessionUpdate":"tool_call_update","toolCallId":"t","status":"completed","content":[{"type":"content","content":{"type":"text","text":"out"}}]})")});
  connected();
  ASSERT_TRUE(get(client->send_message("go")));
  const ToolCallMessage first = next_call();
  const ToolCallMessage second = next_call();
  EXPECT_EQ(first.status, ToolCallStatus::pending);
  EXPECT_FALSE(first.output);
  EXPECT_EQ(second.status, ToolCallStatus::completed);
  EXPECT_EQ(second.label, "Read");
  EXPECT_EQ(second.output, "out");
}

TEST_F(ClientTest, ASignInIsSentOnRequest) {
  script.initialized.is_authenticated = false;
  connected();
  EXPECT_THAT(script.asked, ElementsAre("initialize", "authenticate", "session/new"));
}

TEST_F(ClientTest, ARefusedSignInIsItsOwnKindOfError) {
  script.initialized.is_authenticated = false;
  Options with = options();
  with.auth_method_id = "bad";
  client.emplace(loop, std::move(with));
  const auto done = get(client->connect());
  ASSERT_FALSE(done);
  EXPECT_EQ(kind_of(done.error()), ErrorKind::authentication);
  EXPECT_THAT(done.error().message, HasSubstr("Failed to connect"));
  EXPECT_FALSE(client->is_connected());
  EXPECT_EQ(client->protocol(), nullptr);
}

TEST_F(ClientTest, WithoutAConnectionRequestsFail) {
  client.emplace(loop, options());
  EXPECT_EQ(kind_of(get(client->send_message("x")).error()), ErrorKind::connection);
  EXPECT_EQ(kind_of(client->interrupt().error()), ErrorKind::connection);
  EXPECT_EQ(kind_of(get(client->load_session("s")).error()), ErrorKind::connection);
  EXPECT_EQ(kind_of(client->send_raw("{}").error()), ErrorKind::connection);
  EXPECT_EQ(get(client->receive_message()), std::nullopt);
  unreachable = true;
  EXPECT_EQ(kind_of(get(client->connect()).error()), ErrorKind::connection);
}

TEST_F(ClientTest, ImpossibleOptionsAreRefused) {
  Client wrong(loop, {.url = "http://localhost:8090"});
  EXPECT_EQ(kind_of(get(wrong.connect()).error()), ErrorKind::validation);
}

// A server that is asked before it has said that it is ready may lose the question.
TEST_F(ClientTest, ASilentAgentIsUsedAnyway) {
  script.prompt = {};
  Options with = options();
  with.transport = [inner = with.transport, this]() -> Task<Result<std::unique_ptr<Frames>>> {
    auto [near, far] = memory_pair(loop);
    agents.push_back(std::make_unique<Peer>(loop, framed_stream(loop, std::move(far), line_framing()),
                                            acp::dialect(acp::Side::agent, acp::Flavour::iflow), router));
    scope.start([](Peer& peer) -> Task<void> { co_await peer.run(); }(*agents.back()));
    co_return framed_stream(loop, std::move(near), line_framing());
  };
  client.emplace(loop, std::move(with));
  std::optional<Result<void>> done;
  scope.start(keep(client->connect(), done));
  settle();
  EXPECT_FALSE(done);
  loop.advance(2s);
  settle();
  ASSERT_TRUE(done);
  EXPECT_TRUE(*done);
}

TEST_F(ClientTest, NoFrameIsLostWhateverArrivesAtOnce) {
  for (const bool one_byte : {false, true}) {
    for (const int count : {50, 500}) {
      std::vector<acp::SessionUpdate> updates;
      std::string expected;
      for (int i = 0; i < count; ++i) {
        updates.push_back(said("m" + std::to_string(i) + " "));
        expected += "m" + std::to_string(i) + " ";
      }
      will_say(std::move(updates));
      connected(options(one_byte));
      ASSERT_TRUE(get(client->send_message("go")));
      EXPECT_EQ(text_of_turn(), expected);
      client.reset();
    }
  }
}

TEST_F(ClientTest, AnAgentWaitsForASlowReceiver) {
  constexpr std::size_t count = 3 * limits::iflow_queued_messages;
  script.prompt = [](const acp::Prompt&, Peer& to) -> Task<Result<acp::PromptResult>> {
    for (std::size_t i = 0; i < count; ++i) {
      co_await to.wait_writable();
      EXPECT_TRUE(to.notify(acp::method::update, said(std::string(1'000, 'x'))));
    }
    co_return acp::PromptResult{};
  };
  connected();
  ASSERT_TRUE(get(client->send_message("go")));
  EXPECT_LE(client->queue().size(), limits::iflow_queued_messages);
  std::size_t received = 0;
  while (const auto message = get(client->receive_message())) {
    if (std::holds_alternative<TaskFinishMessage>(*message)) break;
    ++received;
  }
  EXPECT_EQ(received, count);
}

TEST_F(ClientTest, EachOutcomeIsAnsweredWithItsOption) {
  const std::vector<std::pair<Outcome, std::string>> rows{{Outcome::allow, "proceed_once"},
                                                          {Outcome::always_allow, "proceed_always"},
                                                          {Outcome::always_allow_tool, "proceed_always_tool"},
                                                          {Outcome::always_allow_mcp_server, "proceed_always_server"},
                                                          {Outcome::reject, "cancel"}};
  will_ask();
  connected();
  for (const auto& [outcome, id] : rows) {
    ASSERT_TRUE(get(client->send_message("go")));
    const ToolCallMessage call = next_call();
    ASSERT_TRUE(call.confirmation);
    EXPECT_EQ(call.confirmation->type, ToolCallType::execute);
    EXPECT_EQ(call.confirmation->description, "Shell: ls");
    const auto chosen = client->approve_tool_call(*call.request, outcome);
    ASSERT_TRUE(chosen) << chosen.error().message;
    EXPECT_EQ(chosen->option->id, id);
    EXPECT_FALSE(client->approve_tool_call(*call.request)) << "it is answered once";
    settle();
    EXPECT_EQ(text_of_turn(), id);
  }
}

TEST_F(ClientTest, AnOutcomeWithoutAFittingOptionIsAnErrorAndTheRequestStaysOpen) {
  will_ask({"proceed_once", "cancel"});
  connected();
  ASSERT_TRUE(get(client->send_message("go")));
  const ToolCallMessage call = next_call();
  EXPECT_EQ(kind_of(client->approve_tool_call(*call.request, Outcome::always_allow).error()), ErrorKind::permission);
  EXPECT_TRUE(client->approve_tool_call("t-1"));
  settle();
  EXPECT_EQ(text_of_turn(), "proceed_once");
  EXPECT_EQ(kind_of(client->reject_tool_call(call.request.value()).error()), ErrorKind::validation);
  EXPECT_EQ(kind_of(client->reject_tool_call("t-1").error()), ErrorKind::validation);
}

TEST_F(ClientTest, ModesAnswerWithoutThePerson) {
  struct Row {
    PermissionMode mode;
    std::vector<std::string> types;
    std::string answer;
  };
  will_ask();
  for (const Row& row :
       {Row{PermissionMode::automatic, {}, "proceed_once"}, Row{PermissionMode::manual, {"execute"}, "cancelled"},
        Row{PermissionMode::selective, {"read"}, "cancelled"}, Row{PermissionMode::selective, {"execute"}, "proceed_once"}}) {
    Options with = options();
    with.permission_mode = row.mode;
    with.auto_approve_types = row.types;
    connected(std::move(with));
    ASSERT_TRUE(get(client->send_message("go")));
    EXPECT_EQ(text_of_turn(), row.answer) << wire::name_of(row.mode);
  }
}

TEST_F(ClientTest, ThePersonAnswersQuestionsAndPlansAndQuestionsExpire) {
  script.prompt = [](const acp::Prompt&, Peer& to) -> Task<Result<acp::PromptResult>> {
    const auto answers = co_await to.call(acp::method::iflow_questions,
                                          {.questions = {{.question = "Which?", .header = "Database"}}}, no_deadline);
    static_cast<void>(to.notify(acp::method::update, said(json::to_text(*answers))));
    const auto plan = co_await to.call(acp::method::iflow_plan_exit, {.plan = "1. read"}, no_deadline);
    static_cast<void>(to.notify(acp::method::update, said(json::to_text(*plan))));
    co_return acp::PromptResult{};
  };
  connected();
  ASSERT_TRUE(get(client->send_message("go")));
  ToolCallMessage call = next_call();
  ASSERT_TRUE(call.questions);
  EXPECT_EQ(call.questions->front().header, "Database");
  EXPECT_TRUE(client->answer_questions(*call.request, {{"Database", {"sqlite"}}, {"Extras", {"tests", "docs"}}}));
  EXPECT_FALSE(client->answer_questions(*call.request, {}));
  settle();
  EXPECT_EQ(std::get<AssistantMessage>(*get(client->receive_message())).text,
            R"({"answers":{"Database":"sqlite","Extras":["tests","docs"]}})");
  call = next_call();
  EXPECT_EQ(call.plan, "1. read");
  EXPECT_FALSE(client->answer_questions(*call.request, {})) << "it is a plan";
  EXPECT_TRUE(client->approve_plan(*call.request, false, "too long"));
  settle();
  EXPECT_EQ(text_of_turn(), R"({"approved":false,"reason":"too long"})");

  ASSERT_TRUE(get(client->send_message("go")));
  call = next_call();
  loop.advance(300s);
  settle();
  EXPECT_EQ(std::get<AssistantMessage>(*get(client->receive_message())).text, R"({"answers":{}})");
  call = next_call();
  loop.advance(24h);
  settle();
  EXPECT_TRUE(client->approve_plan(*call.request, false)) << "a plan is read for as long as it takes";
  settle();
  EXPECT_EQ(text_of_turn(), R"({"approved":false})");
}

TEST_F(ClientTest, AnInterruptEndsTheTurnAndItsRequests) {
  will_ask();
  connected();
  ASSERT_TRUE(get(client->send_message("go")));
  const ToolCallMessage call = next_call();
  EXPECT_TRUE(client->interrupt());
  settle();
  EXPECT_THAT(script.asked, ::testing::Contains("session/cancel"));
  EXPECT_EQ(text_of_turn(), "cancelled");
  EXPECT_FALSE(client->approve_tool_call(*call.request));
  EXPECT_TRUE(client->is_connected());
}

TEST_F(ClientTest, ALostConnectionIsReportedOnceAndTheNextIsNew) {
  script.prompt = [this](const acp::Prompt&, Peer&) -> Task<Result<acp::PromptResult>> {
    co_await script.proceed.wait();
    co_return acp::PromptResult{};
  };
  connected();
  ASSERT_TRUE(get(client->send_message("one")));
  ASSERT_TRUE(get(client->send_message("two")));
  agents.back()->close();
  settle();
  EXPECT_FALSE(client->is_connected());
  const auto message = get(client->receive_message());
  EXPECT_EQ(std::get<ErrorMessage>(*message).code, -1);
  EXPECT_EQ(get(client->receive_message()), std::nullopt);
  EXPECT_EQ(kind_of(get(client->send_message("three")).error()), ErrorKind::connection);

  will_say({said("again")});
  ASSERT_TRUE(get(client->connect()));
  ASSERT_TRUE(get(client->send_message("three")));
  EXPECT_EQ(text_of_turn(), "again");
}

TEST_F(ClientTest, AWaitingReceiverLearnsOfADisconnect) {
  connected();
  std::optional<std::optional<Message>> got;
  scope.start(keep(client->receive_message(), got));
  settle();
  EXPECT_FALSE(got);
  get(client->disconnect());
  ASSERT_TRUE(got);
  EXPECT_EQ(*got, std::nullopt);
  get(client->disconnect());
}

TEST_F(ClientTest, AFailedLoadKeepsTheCurrentSession) {
  connected();
  const auto missing = get(client->load_session("missing"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(kind_of(missing.error()), ErrorKind::protocol);
  EXPECT_THAT(missing.error().message, HasSubstr("session/load failed: Session not found"));
  EXPECT_EQ(client->session_id(), "s-1");
  EXPECT_TRUE(get(client->load_session("old-7")));
  EXPECT_EQ(client->session_id(), "old-7");
  static_cast<void>(get(client->send_message("x")));
  EXPECT_EQ(script.prompts.back().session_id, "old-7");

  script.initialized.capabilities = acp::AgentCapabilities{};
  connected();
  EXPECT_TRUE(get(client->load_session("old-7"))) << "iFlow declares nothing, and loads";
}

TEST_F(ClientTest, AnErrorOfTheAgentIsAMessage) {
  script.prompt = [](const acp::Prompt&, Peer&) -> Task<Result<acp::PromptResult>> {
    co_return fail(Errc::internal, "model overloaded");
  };
  connected();
  EXPECT_THAT(turn(), ElementsAre(HasSubstr(R"({"type":"error","code":-32603,"message":"model overloaded")")));
  EXPECT_TRUE(client->is_connected());
}

TEST_F(ClientTest, LowerLayersAreReachable) {
  connected();
  EXPECT_NE(client->transport(), nullptr);
  EXPECT_EQ(client->protocol()->state(), acp::ConnectionState::ready);
  EXPECT_TRUE(client->send_raw(
      R"({"jsonrpc":"2.0","id":77,"method":"session/set_think","params":{"sessionId":"s-1","thinkEnabled":true}})"));
  settle();
  EXPECT_EQ(script.asked.back(), "session/set_think on");
  client->queue().push(AssistantMessage{.text = "of my own"});
  EXPECT_EQ(std::get<AssistantMessage>(*get(client->receive_message())).text, "of my own");
}

}  // namespace
}  // namespace parlance::iflow
