// SPDX-License-Identifier: Apache-2.0
// An ACP client and an agent of the hub, over a pipe: sessions, turns, options.
#include "parlance/face/acp/test_support.h"
#include "parlance/hub/conversation/plan.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/protocol/acp/errors.h"
#include "parlance/protocol/jsonrpc/dialect.h"

namespace parlance::face {
namespace {

using hub::StopReason;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST_F(HubOverAcp, InitializeReportsActualCapabilities) {
  const auto editor = client();
  const auto reply = editor->initialize();
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->protocol_version, 1);
  EXPECT_EQ(reply->agent->name, "parlance");
  EXPECT_TRUE(reply->auth_methods.empty());
  EXPECT_FALSE(reply->is_authenticated);
  EXPECT_TRUE(reply->capabilities->load_session);
  EXPECT_TRUE(reply->capabilities->prompt->image);
  EXPECT_TRUE(reply->capabilities->prompt->embedded_context);
  EXPECT_FALSE(reply->capabilities->prompt->audio);
  EXPECT_FALSE(reply->capabilities->mcp->http) << "servers of a client reach no agent of a gateway";
  EXPECT_TRUE(reply->capabilities->session->list && reply->capabilities->session->resume && reply->capabilities->session->close &&
              reply->capabilities->session->remove);
  EXPECT_FALSE(reply->capabilities->auth && reply->capabilities->auth->logout);
}

TEST_F(HubOverAcp, AHigherVersionIsAnsweredWithOursAndASecondInitializeRefused) {
  const auto editor = client();
  EXPECT_EQ(editor->initialize({}, 99)->protocol_version, 1);
  const auto again = editor->initialize();
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, HasSubstr("Initialize not allowed on existing connection"));
}

TEST_F(HubOverAcp, RequestsBeforeInitializeAreRefused) {
  const auto editor = client();
  const auto early = editor->call(acp::method::new_session, {.cwd = "/tmp"});
  ASSERT_FALSE(early);
  EXPECT_EQ(early.error().message, "ACP connection must be initialized before 'session/new'");
}

TEST_F(HubOverAcp, ATurnSendsItsUpdatesBeforeItsEnd) {
  bench.script = [](hub::Turn& turn, hub::Prompt prompt) -> Task<Result<StopReason>> {
    turn.emit(hub::event::ThinkingContent{"hm"});
    turn.emit(hub::event::Text{"You said " + prompt.text});
    turn.emit(hub::event::ToolStart{.call = "c1",
                                    .tool = "read_file",
                                    .title = "Read a",
                                    .input_json = R"({"path":"/a"})",
                                    .kind = hub::CallKind::read,
                                    .locations = std::vector{hub::Location{.path = "/a", .line = 3}}});
    turn.emit(hub::event::ToolOutput{.call = "c1", .text = "abc"});
    turn.emit(hub::event::ToolEnd{.call = "c1"});
    turn.emit(hub::event::Plan{.entries = {{.content = "one", .status = hub::PlanStatus::in_progress}}});
    turn.emit(hub::event::Usage{.input_tokens = 10,
                                .output_tokens = 2,
                                .cost = hub::Cost{.amount = 0.5},
                                .context = hub::ContextUse{.used = 12, .size = 100}});
    turn.emit(hub::event::Commands{.commands = {{.name = "plan", .description = "Make a plan", .hint = "topic"}}});
    co_return StopReason::end_turn;
  };
  const auto editor = client(acp::Flavour::standard, true);
  ASSERT_TRUE(editor->initialize());
  const std::string session = editor->begin();
  std::string end;
  editor->start_prompt(session, "hello", end);
  settle();
  EXPECT_EQ(end, "end_turn");
  EXPECT_EQ(editor->order.back(), "end") << "the answer is the last";
  EXPECT_EQ(editor->kinds(),
            "agent_thought_chunk agent_message_chunk tool_call tool_call_update tool_call_update plan usage_update "
            "available_commands_update");
  EXPECT_THAT(editor->updates, Contains(HasSubstr("You said hello")));
  EXPECT_THAT(editor->updates, Contains(HasSubstr(R"("locations":[{"path":"/a","line":3}])")));
  EXPECT_THAT(editor->updates, Contains(HasSubstr(R"("used":12,"size":100,"cost":{"amount":0.5,"currency":"USD"})")));
}

TEST_F(HubOverAcp, AnErrorOfTheTurnIsTheErrorOfThePrompt) {
  bench.script = [](hub::Turn&, hub::Prompt) -> Task<Result<StopReason>> { co_return fail(Errc::failed, "the model is away"); };
  const auto editor = client();
  ASSERT_TRUE(editor->initialize());
  EXPECT_EQ(editor->prompt(editor->begin(), "x"), "error: the model is away");
}

TEST_F(HubOverAcp, FoldersMustBeAbsoluteAndExist) {
  const auto editor = client();
  ASSERT_TRUE(editor->initialize());
  for (const auto& [cwd, why] : {std::pair("src", "an absolute path is needed"), {"/nonexistent", "$.cwd"}}) {
    const auto refused = editor->call(acp::method::new_session, {.cwd = cwd});
    ASSERT_FALSE(refused) << cwd;
    EXPECT_EQ(jsonrpc::exact_code(refused.error()), -32602);
    EXPECT_THAT(acp::error_text(refused.error()), HasSubstr(why));
  }
  const auto more =
      editor->call(acp::method::new_session, {.cwd = "/tmp", .additional_directories = std::vector<std::string>{"/usr"}});
  ASSERT_TRUE(more);
  EXPECT_THAT(bench.hub->find(*more->session_id)->folders, ElementsAre("/usr"));
}

TEST_F(HubOverAcp, MissingSessionIsMinus32002) {
  const auto editor = client();
  ASSERT_TRUE(editor->initialize());
  const auto prompt = editor->call(acp::method::prompt, TestClient::words("nowhere", "x"));
  const auto load = editor->call(acp::method::load_session, {.session_id = "nowhere", .cwd = "/tmp"});
  editor->begin();  // the agent session has no id yet
  EXPECT_FALSE(editor->call(acp::method::load_session, {.session_id = "", .cwd = "/tmp"}));
  EXPECT_TRUE(editor->call(acp::method::delete_session, {.session_id = "nowhere"})) << "it is gone, as the client wants";
  for (const Error* error : {&prompt.error(), &load.error()}) {
    EXPECT_EQ(jsonrpc::exact_code(*error), -32002) << error->message;
    EXPECT_EQ(error->message, "Resource not found: nowhere");
  }
  EXPECT_THAT(std::string(jsonrpc::exact_data(load.error())), HasSubstr("cannot list the messages")) << "the reason is reported";
}

TEST_F(HubOverAcp, LoadReplaysHistoryAndResumeDoesNot) {
  bench.script = [](hub::Turn& turn, hub::Prompt prompt) -> Task<Result<StopReason>> {
    turn.emit(hub::event::Text{"got " + prompt.text});
    co_return StopReason::end_turn;
  };
  std::string session;
  {
    const auto editor = client();
    ASSERT_TRUE(editor->initialize());
    session = editor->begin();
    EXPECT_EQ(editor->prompt(session, "first"), "end_turn");
    EXPECT_THAT(editor->kinds(), Not(HasSubstr("user_message_chunk"))) << "its own words a client knows";
  }
  const auto two = client();
  ASSERT_TRUE(two->initialize());
  const auto loaded = two->call(acp::method::load_session, {.session_id = session, .cwd = "/tmp"});
  ASSERT_TRUE(loaded);
  EXPECT_FALSE(loaded->session_id) << "the client has it";
  EXPECT_THAT(two->kinds(), testing::StartsWith("user_message_chunk agent_message_chunk"));
  EXPECT_THAT(two->updates, Contains(HasSubstr("got first")));
  EXPECT_EQ(two->prompt(session, "second"), "end_turn");

  const auto sdk = client(acp::Flavour::iflow);
  ASSERT_TRUE(sdk->initialize());
  const auto by_sdk = sdk->call(acp::method::load_session, {.session_id = session, .cwd = "/tmp"});
  ASSERT_TRUE(by_sdk);
  EXPECT_EQ(by_sdk->session_id, session);
  settle();
  EXPECT_THAT(sdk->kinds(), Not(HasSubstr("message_chunk"))) << "it would take them for the answer to its next prompt";

  const auto three = client();
  ASSERT_TRUE(three->initialize());
  ASSERT_TRUE(three->call(acp::method::resume_session, {.session_id = session, .cwd = "/tmp"}));
  settle();
  EXPECT_EQ(three->kinds(), "");
  EXPECT_EQ(three->prompt(session, "third"), "end_turn");
  EXPECT_THAT(three->updates, Contains(HasSubstr("got third")));
  EXPECT_THAT(two->updates, Contains(HasSubstr("third"))) << "a connected client receives it";
}

// A session of Claude Code from a terminal, unknown to the hub.
TEST_F(HubOverAcp, AgentSessionIsAdoptedOnce) {
  int replays = 0;
  bench.log.resuming = [&](hub::ReplaySink& sink) -> Task<Result<void>> {
    ++replays;
    sink.user("said in a terminal");
    sink.emit(hub::event::Text{"answered there"});
    co_return Result<void>{};
  };
  const auto editor = client();
  ASSERT_TRUE(editor->initialize());
  const auto loaded = editor->call(acp::method::load_session, {.session_id = "kept-by-it", .cwd = "/tmp"});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(editor->updates, Contains(HasSubstr("said in a terminal")));
  EXPECT_THAT(editor->updates, Contains(HasSubstr("answered there")));
  EXPECT_EQ(editor->prompt("kept-by-it", "go on"), "end_turn") << "by the name that the client knows";

  const auto two = client();
  ASSERT_TRUE(two->initialize());
  ASSERT_TRUE(two->call(acp::method::resume_session, {.session_id = "kept-by-it", .cwd = "/tmp"}));
  EXPECT_EQ(replays, 1) << "it is a conversation now";
  EXPECT_EQ(bench.hub->snapshot().conversations.size(), 1U);
  ASSERT_TRUE(two->call(acp::method::delete_session, {.session_id = "kept-by-it"}));
  EXPECT_TRUE(bench.hub->snapshot().conversations.empty());
}

TEST_F(HubOverAcp, ClearedHistoryIsNotReplayed) {
  const auto editor = client();
  ASSERT_TRUE(editor->initialize());
  const std::string session = editor->begin();
  EXPECT_EQ(editor->prompt(session, "before"), "end_turn");
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(session, hub::ClearConversation{})));
  EXPECT_EQ(editor->prompt(session, "after"), "end_turn");
  const auto two = client();
  ASSERT_TRUE(two->initialize());
  ASSERT_TRUE(two->call(acp::method::load_session, {.session_id = session, .cwd = "/tmp"}));
  EXPECT_THAT(two->updates, Not(Contains(HasSubstr("before"))));
  EXPECT_THAT(two->updates, Contains(HasSubstr("after")));
}

TEST_F(HubOverAcp, SessionsAreListedByFolderAndInPages) {
  const auto editor = client();
  ASSERT_TRUE(editor->initialize());
  std::vector<std::string> all;
  for (int i = 0; i < 51; ++i) all.push_back(editor->begin());
  const auto first = editor->call(acp::method::list_sessions, {});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->sessions.size(), 50);
  ASSERT_TRUE(first->next_cursor);
  const auto second = editor->call(acp::method::list_sessions, {.cursor = first->next_cursor});
  EXPECT_EQ(second->sessions.size(), 1);
  EXPECT_FALSE(second->next_cursor);
  EXPECT_TRUE(editor->call(acp::method::list_sessions, {.cwd = "/usr"})->sessions.empty());
  EXPECT_EQ(editor->call(acp::method::list_sessions, {.cwd = "/tmp"})->sessions.front().cwd, "/tmp");
  EXPECT_FALSE(editor->call(acp::method::list_sessions, {.cursor = "x"}));
}

TEST_F(HubOverAcp, ACancelEndsTheTurnWithoutAnError) {
  bench.script = [this](hub::Turn& turn, hub::Prompt) -> Task<Result<StopReason>> {
    turn.emit(hub::event::Text{"begun"});
    while (!turn.cancelled()) co_await bench.store.changed.wait();
    co_return fail(Errc::failed, "torn");
  };
  bench.log.cancelling = [this] { bench.store.changed.notify_all(); };
  const auto editor = client();
  ASSERT_TRUE(editor->initialize());
  const std::string session = editor->begin();
  std::string first;
  std::string second;
  editor->start_prompt(session, "x", first);
  settle();
  editor->start_prompt(session, "y", second);
  settle();
  EXPECT_EQ(bench.log.prompts.size(), 1) << "one after the other";
  ASSERT_TRUE(editor->peer->notify(acp::method::cancel, {.session_id = session}));
  settle();
  EXPECT_EQ(first, "cancelled");
  EXPECT_EQ(second, "cancelled") << "what waits is cancelled as well";
}

TEST_F(HubOverAcp, TheRequestOfAPromptCanBeCancelledByItsId) {
  bench.script = [this](hub::Turn& turn, hub::Prompt) -> Task<Result<StopReason>> {
    while (!turn.cancelled()) co_await bench.store.changed.wait();
    co_return StopReason::cancelled;
  };
  bench.log.cancelling = [this] { bench.store.changed.notify_all(); };
  const auto editor = client();
  ASSERT_TRUE(editor->initialize());
  const std::string session = editor->begin();
  Scope scope(bench.loop);
  const auto ask = [&]() -> Task<void> {
    static_cast<void>(co_await editor->peer->call(acp::method::prompt, TestClient::words(session, "x"), no_deadline));
  };
  auto call = scope.start(ask());
  settle();
  call.cancel();  // sends $/cancel_request
  settle();
  EXPECT_EQ(bench.log.cancels, 1);
  EXPECT_THAT(bench.trace(session), HasSubstr("turn_end:cancelled"));
}

TEST_F(HubOverAcp, DisconnectedClientLeavesTheTurnToOthers) {
  bool go_on = false;
  bench.script = [&](hub::Turn& turn, hub::Prompt) -> Task<Result<StopReason>> {
    while (!go_on) co_await bench.store.changed.wait();
    turn.emit(hub::event::Text{"done"});
    co_return StopReason::end_turn;
  };
  auto editor = client();
  ASSERT_TRUE(editor->initialize());
  const std::string session = editor->begin();
  std::string end;
  editor->start_prompt(session, "x", end);
  settle();
  editor.reset();
  settle();
  go_on = true;
  bench.store.changed.notify_all();
  settle();
  EXPECT_EQ(bench.log.cancels, 0);
  EXPECT_THAT(bench.trace(session), testing::EndsWith("turn_end"));
}

TEST_F(HubOverAcp, TheOtherClientsOfASessionHearEverything) {
  bench.script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<StopReason>> {
    turn.emit(hub::event::Text{"for all"});
    co_return StopReason::end_turn;
  };
  const auto editor = client();
  const auto two = client();
  ASSERT_TRUE(editor->initialize());
  ASSERT_TRUE(two->initialize());
  const std::string session = editor->begin();
  ASSERT_TRUE(two->call(acp::method::load_session, {.session_id = session, .cwd = "/tmp"}));
  EXPECT_EQ(editor->prompt(session, "whose words"), "end_turn");
  settle();
  EXPECT_THAT(two->kinds(), HasSubstr("user_message_chunk agent_message_chunk"));
  EXPECT_THAT(two->updates, Contains(HasSubstr("whose words")));
  EXPECT_THAT(editor->kinds(), Not(HasSubstr("user_message_chunk")));
}

TEST_F(HubOverAcp, ModesModelsAndOptionsAreChosenAndSentToTheOthers) {
  const auto editor = client();
  const auto two = client();
  acp::ClientCapabilities booleans;
  booleans.session.emplace().config_options.emplace().boolean.emplace();
  ASSERT_TRUE(editor->initialize(booleans));
  ASSERT_TRUE(two->initialize());
  const auto begun = editor->call(acp::method::new_session, {.cwd = "/tmp"});
  ASSERT_TRUE(begun && begun->modes && begun->config_options);
  const std::string session = *begun->session_id;
  ASSERT_TRUE(two->call(acp::method::load_session, {.session_id = session, .cwd = "/tmp"}));
  EXPECT_EQ(begun->modes->current_mode_id, "default");
  ASSERT_TRUE(
      editor->call(acp::method::set_config_option, {.session_id = session, .config_id = "effort", .value = {R"("high")"}}));
  const auto all = editor->call(acp::method::set_config_option,
                                {.session_id = session, .config_id = "web", .type = "boolean", .value = {"true"}});
  ASSERT_TRUE(all);
  EXPECT_THAT(json::to_text(*all), HasSubstr(R"("id":"web","name":"Web","type":"boolean","currentValue":true)"));
  settle();
  EXPECT_THAT(two->updates, Contains(AllOf(HasSubstr("config_option_update"), HasSubstr(R"("currentValue":"high")"))));
  const auto wrong =
      editor->call(acp::method::set_config_option, {.session_id = session, .config_id = "effort", .value = {R"("x")"}});
  EXPECT_EQ(jsonrpc::exact_code(wrong.error()), -32602);
  EXPECT_FALSE(editor->call(acp::method::set_mode, {.session_id = session, .mode_id = "no such"}));
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(session, hub::ChangeSettings{{.mode = hub::Mode::plan}})));
  settle();
  EXPECT_THAT(editor->updates, Contains(HasSubstr(R"("currentModeId":"plan")")));
}

TEST_F(HubOverAcp, AClosedSessionIsStoppedAndCanBeLoadedAgain) {
  bench.script = [this](hub::Turn& turn, hub::Prompt) -> Task<Result<StopReason>> {
    while (!turn.cancelled()) co_await bench.store.changed.wait();
    co_return StopReason::cancelled;
  };
  bench.log.cancelling = [this] { bench.store.changed.notify_all(); };
  const auto editor = client();
  ASSERT_TRUE(editor->initialize());
  const std::string session = editor->begin();
  std::string end;
  editor->start_prompt(session, "x", end);
  settle();
  ASSERT_TRUE(editor->call(acp::method::close_session, {.session_id = session}));
  settle();
  EXPECT_EQ(end, "cancelled");
  EXPECT_EQ(jsonrpc::exact_code(editor->call(acp::method::prompt, TestClient::words(session, "y")).error()), -32002);
  EXPECT_TRUE(editor->call(acp::method::load_session, {.session_id = session, .cwd = "/tmp"}));
  ASSERT_TRUE(editor->call(acp::method::delete_session, {.session_id = session}));
  EXPECT_EQ(bench.hub->find(session), nullptr);
}

TEST_F(HubOverAcp, IflowsWordsAreUnderstoodAndAnsweredInItsOwn) {
  bench.script = [](hub::Turn& turn, hub::Prompt prompt) -> Task<Result<StopReason>> {
    turn.emit(hub::event::Text{prompt.options.append_system.value_or("")});
    co_return StopReason::end_turn;
  };
  const auto editor = client(acp::Flavour::iflow);
  const auto hello = editor->initialize();
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello->is_authenticated, true);
  EXPECT_EQ(editor->call(acp::method::authenticate, {.method_id = "iflow"})->method_id, "iflow");
  acp::NewSession request{.cwd = "/tmp"};
  request.settings = acp::IflowSettings{.permission_mode = "plan", .append_system_prompt = "be brief"};
  const auto begun = editor->call(acp::method::new_session, request);
  ASSERT_TRUE(begun);
  EXPECT_EQ(begun->modes->current_mode_id, "plan");
  EXPECT_FALSE(begun->config_options);
  const std::string session = *begun->session_id;
  const auto mode = editor->call(acp::method::set_mode, {.session_id = session, .mode_id = "default"});
  ASSERT_TRUE(mode);
  EXPECT_EQ(mode->success, true);
  EXPECT_EQ(mode->current_mode_id, "default");
  const auto think = editor->call(acp::method::set_think, {.session_id = session, .think_enabled = true});
  EXPECT_EQ(think->current_think_enabled, true);
  EXPECT_TRUE(bench.hub->find(session)->think);
  EXPECT_EQ(editor->prompt(session, "x"), "end_turn");
  EXPECT_THAT(editor->updates, Contains(HasSubstr("be brief")));
  EXPECT_THAT(editor->kinds(), Not(HasSubstr("current_mode_update"))) << "the answer said it";
  EXPECT_TRUE(editor->call(acp::method::cancel_request, {.session_id = session})) << "a request, as its SDK sends it";
}

TEST_F(HubOverAcp, UnreachableServersOfAClientAreReported) {
  const auto editor = client();
  acp::ClientCapabilities notices;
  notices.session.emplace().notices.emplace();
  ASSERT_TRUE(editor->initialize(notices));
  acp::NewSession request{.cwd = "/tmp"};
  request.mcp_servers.push_back({.name = "files", .command = "files-server"});
  ASSERT_TRUE(editor->call(acp::method::new_session, request));
  settle();
  EXPECT_THAT(editor->updates, Contains(AllOf(HasSubstr(R"("sessionUpdate":"notice")"), HasSubstr("do not reach agents"))));
}

}  // namespace
}  // namespace parlance::face
