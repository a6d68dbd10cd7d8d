// SPDX-License-Identifier: Apache-2.0
// HTTP clients and the whole agent: its tools run, a person can answer its requests, and no trace of a request remains.
#include "parlance/face/openai/chat_via_hub.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/parlance/gateway/test_support.h"
#include "parlance/hub/conversation/notice.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/conversation/turn_event.h"
#include "parlance/hub/conversation/usage.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/runtime/snapshot.h"

namespace parlance::app {
namespace {

using namespace std::chrono_literals;
using test::completions;
using test::GatewayBench;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view question = R"({"model":"scripted","messages":[{"role":"user","content":"Run the tests."}])";

// The gateway with an additional agent that runs the test's script. Clients know this agent as the model "scripted".
struct Bench : GatewayBench {
  explicit Bench(std::chrono::milliseconds ask_wait = 20s) : GatewayBench(ask_wait) {
    hub.add_agent(std::make_unique<hub::test::ScriptedProvider>(script, log));
  }

  struct Answer {
    int status = 0;
    std::string body;
    bool ended = false;
  };
  // Runs beside the test, until the end of the request or the scope.
  void ask(Scope& scope, Answer& answer, std::string body) { scope.start(run(answer, std::move(body))); }
  Task<void> run(Answer& answer, std::string body) {
    const auto response =
        co_await client.stream(request("POST", completions, std::move(body)), [&](BytesView piece) -> Result<void> {
          answer.body += piece;
          return {};
        });
    if (response) {
      answer.status = response->status;
      answer.body += response->body;
    }
    answer.ended = true;
  }
  std::vector<hub::Ask> asks() const { return open_asks(hub); }
  // All objects of requests have gone.
  void expect_nothing_left() {
    until([&] { return store.conversations.empty() && store.logs.empty(); });
    EXPECT_TRUE(open_asks(hub).empty());
    EXPECT_EQ(hub.statistics().conversations, 0U);
  }
};

Task<Result<hub::AskAnswer>> ask_about(hub::Turn& turn, std::string call) {
  turn.emit(hub::event::ToolStart{.call = call, .tool = "run_command", .title = "npm test", .input_json = "{}"});
  return turn.ask({.call = call,
                   .tool = "run_command",
                   .title = "npm test",
                   .options = {{.id = "yes", .label = "Allow", .kind = hub::OptionKind::allow_once},
                               {.id = "no", .label = "Reject", .kind = hub::OptionKind::reject_once}}});
}

Task<Result<hub::StopReason>> ask_and_report(hub::Turn& turn, hub::Prompt) {
  turn.emit(hub::event::Text{"Let me see."});
  PARLANCE_CO_TRY(answer, co_await ask_about(turn, "c1"));
  turn.emit(hub::event::ToolEnd{.call = "c1", .state = hub::ToolEndState::done});
  turn.emit(hub::event::Text{answer.allowed() ? "All pass." : "Then not."});
  turn.emit(hub::event::Usage{.input_tokens = 10, .output_tokens = 5});
  co_return hub::StopReason::end_turn;
}

TEST(ChatViaHub, AToolRunsAndTheClientGetsTheWholeText) {
  Bench bench;
  hub::SessionSetup during;
  bench.script = [&](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    during = turn.setup();
    turn.emit(hub::event::Text{"Let me look."});
    turn.emit(hub::event::ToolStart{.call = "c1", .tool = "read_file", .title = "a.txt", .input_json = "{}"});
    turn.emit(hub::event::Usage{.input_tokens = 10, .output_tokens = 5});
    turn.emit(hub::event::ToolOutput{.call = "c1", .text = "secret"});
    turn.emit(hub::event::ToolEnd{.call = "c1"});
    turn.emit(hub::event::Text{"It says secret."});
    turn.emit(hub::event::Usage{.input_tokens = 20, .output_tokens = 7});
    co_return hub::StopReason::max_tokens;
  };
  const auto answer = json::parse(bench.send("POST", completions, std::string(question) + "}").body);
  ASSERT_TRUE(answer);
  const json::Value& choice = answer->find("choices")->array()->front();
  EXPECT_EQ(choice.find("message")->text_or("content", ""), "Let me look.\n\nIt says secret.");
  EXPECT_EQ(choice.text_or("finish_reason", ""), "length");
  EXPECT_EQ(answer->find("usage")->integer_or("prompt_tokens", 0), 30);
  EXPECT_EQ(answer->find("usage")->integer_or("completion_tokens", 0), 12);
  EXPECT_EQ(answer->text_or("model", ""), "scripted");
  EXPECT_EQ(during.via, "http");
  EXPECT_EQ(during.folder, "/home/ann") << "the configured one";
  EXPECT_EQ(during.title, "HTTP: Run the tests.");
  bench.expect_nothing_left();
}

TEST(ChatViaHub, PagesLearnNothingOfARequestWithoutQuestions) {
  Bench bench;
  const auto watcher = bench.hub.watch();
  std::size_t listed = 1;
  bench.script = [&](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    turn.emit(hub::event::Text{"Hello."});
    PARLANCE_CO_TRY_DO(co_await turn.written());
    listed = bench.hub.snapshot().conversations.size();
    co_return hub::StopReason::end_turn;
  };
  for (int i = 0; i < 20; ++i) EXPECT_EQ(bench.send("POST", completions, std::string(question) + "}").status, 200);
  bench.expect_nothing_left();
  EXPECT_EQ(listed, 0U);
  EXPECT_EQ(watcher->queued(), 0U);
}

TEST(ChatViaHub, AStreamHasWarningsAndNoMereInformation) {
  Bench bench;
  bench.script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    turn.emit(hub::event::Notice{.text = "by the way"});
    turn.emit(hub::event::Notice{.level = hub::NoticeLevel::warning, .text = "the quota is nearly used up"});
    turn.emit(hub::event::Text{"Hello."});
    co_return hub::StopReason::end_turn;
  };
  const auto answer = bench.send("POST", completions, std::string(question) + R"(,"stream":true})");
  EXPECT_THAT(answer.body, HasSubstr(": the quota is nearly used up\n"));
  EXPECT_THAT(answer.body, HasSubstr("\"reasoning_content\":\"the quota is nearly used up"));
  EXPECT_THAT(answer.body, Not(HasSubstr("by the way")));
}

TEST(ChatViaHub, AStreamNamesItsWaitAndContinuesWithTheAnswer) {
  Bench bench;
  bench.script = ask_and_report;
  for (const bool allowed : {true, false}) {
    Scope scope(bench.loop);
    Bench::Answer answer;
    bench.ask(scope, answer, std::string(question) + R"(,"stream":true})");
    bench.until([&] { return answer.body.find("Waiting for a person") != std::string::npos; });
    EXPECT_THAT(answer.body, HasSubstr("\"content\":\"Let me see.\"")) << "what was said before comes first";
    EXPECT_THAT(answer.body,
                HasSubstr("Waiting for a person to decide about run_command: npm test. Answer at " + bench.url("/")));
    EXPECT_THAT(answer.body, HasSubstr("\"reasoning_content\":\"Waiting")) << "and is no part of what the agent says";
    const auto listed = bench.hub.snapshot();
    ASSERT_EQ(listed.conversations.size(), 1U) << "now a person has to find it";
    EXPECT_EQ(listed.conversations[0].via, "http");
    EXPECT_EQ(listed.conversations[0].state, hub::ConversationState::waiting);
    ASSERT_EQ(listed.asks.size(), 1U);
    ASSERT_TRUE(bench.loop.block_on(
        bench.hub.submit(listed.asks[0].conversation,
                         hub::AnswerRequest{.request = listed.asks[0].id,
                                            .answer = {.digest = listed.asks[0].digest, .option = allowed ? "yes" : "no"}})));
    bench.until([&] { return answer.ended; });
    EXPECT_THAT(answer.body, HasSubstr(allowed ? "All pass." : "Then not."));
    EXPECT_TRUE(answer.body.ends_with("data: [DONE]\n\n"));
    bench.expect_nothing_left();
  }
}

TEST(ChatViaHub, AClientWithoutAStreamGetsTheWholeAnswerAfterThePersonsDecision) {
  Bench bench;
  bench.script = ask_and_report;
  Scope scope(bench.loop);
  Bench::Answer answer;
  bench.ask(scope, answer, std::string(question) + "}");
  bench.until([&] { return !bench.asks().empty(); });
  const hub::Ask ask = bench.asks().front();
  ASSERT_TRUE(bench.loop.block_on(bench.hub.submit(
      ask.conversation, hub::AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = "yes"}})));
  bench.until([&] { return answer.ended; });
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.body, HasSubstr(R"("content":"Let me see.\n\nAll pass.")"));
  EXPECT_THAT(answer.body, Not(HasSubstr("Waiting")));
  bench.expect_nothing_left();
}

// On its own clock: no person answers during the wait.
TEST(ChatViaHub, AnUndecidedRequestIsAnErrorWithThePlaceToAnswer) {
  for (const Duration patience : {Duration(5min), Duration(0)}) {
    hub::test::Bench bench;
    bench.script = ask_and_report;
    face::ChatViaHub chats(bench.loop, {.folder = "/project", .page_url = [] { return "http://127.0.0.1:7/"; }});
    face::Unfollowed unfollowed;
    const TimePoint before = bench.loop.now();
    const auto answer = bench.loop.block_on(chats.chat(
        *bench.hub,
        {.messages = {{.content = "Run the tests."}}, .by = {.agent = "scripted"}, .ask_patience = [&] { return patience; }},
        unfollowed));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, Errc::denied);
    EXPECT_THAT(answer.error().message,
                HasSubstr("approval needed for run_command: npm test, and " +
                          std::string(patience == 0s ? "no page is open to answer it" : "nobody answered within 300 s")));
    EXPECT_THAT(answer.error().message, HasSubstr("Open http://127.0.0.1:7/ and send the request again"));
    EXPECT_GE(bench.loop.now() - before, patience);
    EXPECT_LT(bench.loop.now() - before, patience + 1s);
    bench.loop.run_until([&] { return chats.running() == 0; });
    EXPECT_TRUE(bench.store.conversations.empty());
    EXPECT_TRUE(open_asks(*bench.hub).empty());
    EXPECT_GE(bench.log.cancels, 1);
  }
}

// The first curl of a new user: the agent asks, and no page is open.
TEST(ChatViaHub, WithoutAnOpenPageAWholeAnswerDoesNotWait) {
  Bench bench(0s);
  bench.script = ask_and_report;
  const HttpResponse answer = bench.send("POST", completions, std::string(question) + "}");
  EXPECT_EQ(answer.status, 403);
  EXPECT_THAT(answer.body, HasSubstr("approval needed for run_command: npm test, and no page is open to answer it"));
  EXPECT_THAT(answer.body, HasSubstr("Open " + bench.url("/")));
  EXPECT_THAT(answer.body, HasSubstr(R"("code":"approval_needed")"));
  bench.expect_nothing_left();
}

TEST(ChatViaHub, WithAnOpenPageAWholeAnswerWaitsForAPerson) {
  Bench bench(0s);
  bench.script = ask_and_report;
  const auto page = bench.connect("/ws", {"parlance.v1", "token." + std::string(test::test_token)});
  ASSERT_TRUE(page) << page.error().message;
  bench.until([&] { return bench.frontends.pages().has_page(""); });
  Scope scope(bench.loop);
  Bench::Answer answer;
  bench.ask(scope, answer, std::string(question) + "}");
  bench.until([&] { return !bench.asks().empty(); });
  const hub::Ask ask = bench.asks().front();
  ASSERT_TRUE(bench.loop.block_on(bench.hub.submit(
      ask.conversation, hub::AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = "yes"}})));
  bench.until([&] { return answer.ended; });
  EXPECT_EQ(answer.status, 200);
}

TEST(ChatViaHub, TheRequestIsTheHistoryAndOtherConversationsAreInvisible) {
  Bench bench;
  bench.send("POST", completions, R"({"messages":[{"role":"user","content":"My name is Ann."}]})");
  bench.send("POST", completions, R"({"messages":[
    {"role":"system","content":"Be brief."},
    {"role":"user","content":"Read a."},
    {"role":"assistant","content":"I look.","tool_calls":[{"id":"1","type":"function","function":{"name":"read","arguments":"{\"path\":\"a\"}"}}]},
    {"role":"tool","tool_call_id":"1","content":"A"},
    {"role":"assistant","content":"It says A."},
    {"role":"developer","content":"And polite."},
    {"role":"user","content":"Thanks."}]})");
  ASSERT_EQ(bench.agent.requests.size(), 2U);
  using model::Message;
  using model::Role;
  EXPECT_EQ(bench.agent.requests[1].messages,
            (std::vector<Message>{{.role = Role::system, .content = "Be brief.\n\nAnd polite."},
                                  {.role = Role::user, .content = "Read a."},
                                  {.role = Role::assistant,
                                   .content = "I look.",
                                   .tool_calls = {{.id = "1", .name = "read", .arguments = R"({"path":"a"})"}}},
                                  {.role = Role::tool, .tool_results = {{.call_id = "1", .content = "A"}}},
                                  {.role = Role::assistant, .content = "It says A."},
                                  {.role = Role::user, .content = "Thanks."}}));
}

// Deployed clients send tool results last: the agent continues from there.
TEST(ChatViaHub, ARequestMayEndWithSomethingElseThanAPerson) {
  Bench bench;
  for (
      const char* messages :
      {R"([{"role":"user","content":"x"},{"role":"assistant","content":"Hel"}])",
       R"([{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"a","arguments":"{}"}}]},{"role":"tool","tool_call_id":"1","content":"A"}])"}) {
    const HttpResponse answer = bench.send("POST", completions, R"({"messages":)" + std::string(messages) + "}");
    EXPECT_EQ(answer.status, 200) << messages << answer.body;
    EXPECT_THAT(answer.body, HasSubstr("Hello."));
  }
  EXPECT_EQ(bench.agent.requests.at(1).messages.back().tool_results.at(0).content, "A");
  bench.expect_nothing_left();
}

TEST(ChatViaHub, ADisconnectedClientRemovesItsConversation) {
  Bench bench;
  bench.script = ask_and_report;
  {
    Scope scope(bench.loop);
    Bench::Answer answer;
    bench.ask(scope, answer, std::string(question) + R"(,"stream":true})");
    bench.until([&] { return !bench.asks().empty(); });
  }
  bench.expect_nothing_left();
  EXPECT_GE(bench.log.cancels, 1) << "the turn was stopped";
}

TEST(ChatViaHub, AClientGoneBeforeTheBeginningLeavesNoConversation) {
  Bench bench;
  bench.store.held = true;
  {
    Scope scope(bench.loop);
    Bench::Answer answer;
    bench.ask(scope, answer, std::string(question) + "}");
    bench.until([&] { return bench.hub.statistics().conversations == 1; });
  }
  bench.until([&] { return bench.frontends.gateway().connections() == 0; });
  bench.store.held = false;
  bench.store.changed.notify_all();
  bench.until([&] { return bench.hub.statistics().conversations == 0; });
  bench.expect_nothing_left();
  EXPECT_TRUE(bench.log.prompts.empty());
}

TEST(ChatViaHub, AStopByAPersonEndsWithATextForTheClient) {
  Bench bench;
  bench.script = ask_and_report;
  Scope scope(bench.loop);
  Bench::Answer answer;
  bench.ask(scope, answer, std::string(question) + "}");
  bench.until([&] { return !bench.asks().empty(); });
  ASSERT_TRUE(bench.hub.submit_at_once(bench.hub.snapshot().conversations.at(0).id, hub::StopTurn{}));
  bench.until([&] { return answer.ended; });
  EXPECT_EQ(answer.status, 403);
  EXPECT_THAT(answer.body, HasSubstr("a person stopped this request"));
  bench.expect_nothing_left();
}

TEST(ChatViaHub, AtTheLimitTheNextRequestIsAskedToReturn) {
  hub::test::Bench bench;
  Signal go(bench.loop);
  bench.script = [&](hub::Turn&, hub::Prompt) -> Task<Result<hub::StopReason>> {
    co_await go.wait();
    co_return hub::StopReason::end_turn;
  };
  face::ChatViaHub chats(bench.loop, {.folder = "/project"});
  face::Unfollowed unfollowed;
  std::vector<Errc> refused;
  std::size_t answered = 0;
  const auto ask = [&]() -> Task<void> {
    const auto answer =
        co_await chats.chat(*bench.hub, {.messages = {{.content = "x"}}, .by = {.agent = "scripted"}}, unfollowed);
    if (answer) ++answered;
    else refused.push_back(answer.error().code);
  };
  Scope scope(bench.loop);
  for (std::size_t i = 0; i < face::http_conversations + 1; ++i) scope.start(ask());
  bench.loop.run_until([&] { return bench.hub->statistics().running_turns >= face::http_conversations; });
  EXPECT_EQ(refused, std::vector{Errc::overloaded});
  go.notify_all();
  bench.loop.block_on(scope.join());
  EXPECT_EQ(answered, face::http_conversations);
  bench.loop.run_until([&] { return chats.running() == 0; });
  EXPECT_TRUE(bench.store.conversations.empty());
}

TEST(ChatViaHub, RemarksOfAnAgentReachTheClientWithoutAnEnd) {
  Bench bench;
  bench.script = [](hub::Turn& turn, hub::Prompt) -> Task<Result<hub::StopReason>> {
    turn.emit(hub::event::Failure{.code = "not_shown", .message = "A picture could not be shown."});
    turn.emit(hub::event::Text{"I see nothing."});
    co_return hub::StopReason::end_turn;
  };
  const HttpResponse answer = bench.send("POST", completions, std::string(question) + R"(,"stream":true})");
  EXPECT_THAT(answer.body, HasSubstr("I see nothing."));
  EXPECT_THAT(answer.body, HasSubstr(R"("reasoning_content":"A picture could not be shown.)"));
  EXPECT_TRUE(answer.body.ends_with("data: [DONE]\n\n"));
}

// ---- /ws/chat ------------------------------------------------------------------------------------------------------------

TEST(ChatViaHub, OverTheWebSocketToo) {
  Bench bench;
  bench.script = ask_and_report;
  auto socket = bench.connect("/ws/chat?token=t0ken", {});
  ASSERT_TRUE(socket) << socket.error().message;
  ASSERT_TRUE((*socket)->send(
      R"({"type":"chat","content":{"model":"scripted","messages":[{"role":"user","content":"Run the tests."}]}})"));
  EXPECT_EQ(bench.receive(**socket), R"({"type":"chunk","content":{"content":"Let me see.","finish":false}})");
  EXPECT_THAT(
      bench.receive(**socket),
      HasSubstr(
          R"("content":"","finish":false,"reasoning":"Waiting for a person to decide about run_command: npm test. Answer at )"));
  const hub::Ask ask = bench.asks().at(0);
  ASSERT_TRUE(bench.loop.block_on(bench.hub.submit(
      ask.conversation, hub::AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = "yes"}})));
  EXPECT_EQ(bench.receive(**socket), R"({"type":"chunk","content":{"content":"\n\nAll pass.","finish":false}})");
  EXPECT_EQ(bench.receive(**socket),
            R"({"type":"done","content":{"content":"Let me see.\n\nAll pass.","finish":true,"totalTokens":15}})");
  bench.expect_nothing_left();
}

}  // namespace
}  // namespace parlance::app
