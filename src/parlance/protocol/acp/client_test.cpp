// SPDX-License-Identifier: Apache-2.0
// The client beside a scripted agent: beginning, signing in, prompts in order, cancelling, the end in all its ways.
#include "parlance/protocol/acp/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/protocol/acp/test_support.h"
#include "parlance/protocol/jsonrpc/dialect.h"

namespace parlance::acp {
namespace {

using namespace test;

Prompt prompt_of(std::string words, std::string session = "s-1") {
  return {.session_id = std::move(session), .prompt = {acp::text(std::move(words))}};
}

TEST(AcpClient, BeginsASessionAndHearsAllBeforeThePromptEnds) {
  for (const bool one_byte : {false, true}) {
    Pair pair({}, one_byte);
    pair.script.prompt = [](const Prompt&, Peer& agent) -> Task<Result<PromptResult>> {
      for (int i = 0; i < 50; ++i) EXPECT_TRUE(agent.notify(method::update, said("m" + std::to_string(i) + " ")));
      co_return PromptResult{.stop_reason = {.value = StopReason::max_tokens}};
    };
    EXPECT_EQ(pair.client->state(), ConnectionState::connecting);
    ASSERT_TRUE(pair.result(pair.client->connect()));
    EXPECT_EQ(pair.client->state(), ConnectionState::ready);
    const auto session = pair.result(pair.client->new_session({.cwd = "/w"}));
    ASSERT_TRUE(session);
    EXPECT_EQ(session->session_id, "s-1");
    const auto turn = pair.result(pair.client->prompt(prompt_of("go")));
    ASSERT_TRUE(turn);
    EXPECT_EQ(turn->stop_reason.value, StopReason::max_tokens);
    EXPECT_EQ(pair.handler.updates.size(), 50U);
    EXPECT_TRUE(pair.handler.text().ends_with("m48 m49 "));
  }
}

TEST(AcpClient, LeavesAnAgentOfAnotherVersion) {
  Pair pair;
  pair.script.initialized.protocol_version = 2;
  const auto begun = pair.result(pair.client->connect());
  ASSERT_FALSE(begun);
  EXPECT_NE(begun.error().message.find("version 2"), std::string::npos);
  EXPECT_EQ(pair.client->state(), ConnectionState::closed);
  EXPECT_EQ(pair.result(pair.client->new_session({.cwd = "/w"})).error().code, Errc::disconnected);
}

TEST(AcpClient, TheVersionsAreTableRows) {
  EXPECT_EQ(answered_version(1), Version::v1);
  EXPECT_EQ(answered_version(99), Version::v1);
  EXPECT_EQ(answered_version(0), Version::v1);
  EXPECT_EQ(agreed(1), Version::v1);
  EXPECT_EQ(agreed(2), std::nullopt);
}

// ---- signing in ----------------------------------------------------------------------------------------------------------------

TEST(AcpClient, LogsInWithTheGivenMethod) {
  Pair pair({.sign_in = Authenticate{.method_id = "key"}});
  pair.script.wants_sign_in = true;
  ASSERT_TRUE(pair.result(pair.client->connect()));
  EXPECT_TRUE(pair.result(pair.client->new_session({.cwd = "/w"})));
  EXPECT_EQ(pair.script.asked, (std::vector<std::string>{"initialize", "session/new", "authenticate", "session/new"}));
}

TEST(AcpClient, ReportsTheLoginMethodsWithoutAGivenMethod) {
  Pair pair;
  pair.script.wants_sign_in = true;
  pair.script.initialized.auth_methods = {{.id = "login", .name = "Log in", .type = "terminal", .args = {"--login"}},
                                          {.id = "key", .name = "A key"}};
  ASSERT_TRUE(pair.result(pair.client->connect()));
  const auto refused = pair.result(pair.client->new_session({.cwd = "/w"}));
  ASSERT_FALSE(refused);
  EXPECT_TRUE(is_auth_required(refused.error()));
  EXPECT_EQ(refused.error().message,
            "Authentication required. It offers: login (Log in: in a terminal, run (the agent) --login) key (A key)");
}

TEST(AcpClient, IflowLogsInAtOnceWhenLoggedOut) {
  Pair pair({.flavour = Flavour::iflow});
  pair.script.initialized.is_authenticated = false;
  ASSERT_TRUE(pair.result(pair.client->connect()));
  EXPECT_EQ(pair.script.asked, (std::vector<std::string>{"initialize", "authenticate"}));
  EXPECT_EQ(pair.client->state(), ConnectionState::ready);
  Pair signed_in({.flavour = Flavour::iflow});
  signed_in.script.initialized.is_authenticated = true;
  ASSERT_TRUE(signed_in.result(signed_in.client->connect()));
  EXPECT_EQ(signed_in.script.asked, std::vector<std::string>{"initialize"});
}

TEST(AcpClient, ARefusedSignInIsReported) {
  Pair pair({.flavour = Flavour::iflow, .sign_in = Authenticate{.method_id = "bad"}});
  pair.script.initialized.is_authenticated = false;
  EXPECT_EQ(pair.result(pair.client->connect()).error().message, "signing in: unknown auth method");
}

// ---- iFlow's first word ----------------------------------------------------------------------------------------------------------

TEST(AcpClient, WaitsForIflowToBeReady) {
  Pair pair({.flavour = Flavour::iflow, .waits_for_ready = true});
  std::optional<Result<void>> connected;
  pair.begin(pair.client->connect(), connected);
  EXPECT_TRUE(pair.script.asked.empty());
  EXPECT_TRUE(pair.agent->notify(method::iflow_ready, {}));
  pair.settle();
  ASSERT_TRUE(connected && *connected);
  EXPECT_EQ(pair.script.asked, std::vector<std::string>{"initialize"});
}

TEST(AcpClient, AnAgentWithoutAReadyMessageIsUsedAfterAWhile) {
  Pair pair({.flavour = Flavour::iflow, .waits_for_ready = true});
  std::optional<Result<void>> connected;
  pair.begin(pair.client->connect(), connected);
  pair.loop.advance(limits::ready - 1ms);
  EXPECT_TRUE(pair.script.asked.empty());
  pair.loop.advance(1ms);
  pair.settle();
  EXPECT_TRUE(connected && *connected);
}

// ---- prompts -----------------------------------------------------------------------------------------------------------------------

TEST(AcpClient, ASessionRunsPromptsInOrder) {
  Pair pair;
  pair.script.prompt = [&pair](const Prompt&, Peer&) -> Task<Result<PromptResult>> {
    co_await pair.script.proceed.wait();
    co_return PromptResult{};
  };
  ASSERT_TRUE(pair.result(pair.client->connect()));
  std::optional<Result<PromptResult>> first;
  std::optional<Result<PromptResult>> second;
  std::optional<Result<PromptResult>> other;
  pair.begin(pair.client->prompt(prompt_of("one")), first);
  pair.begin(pair.client->prompt(prompt_of("two")), second);
  pair.begin(pair.client->prompt(prompt_of("elsewhere", "s-2")), other);
  EXPECT_EQ(pair.script.prompts.size(), 2U) << "another session does not wait";
  pair.script.proceed.notify_all();
  pair.settle();
  EXPECT_TRUE(first && other && !second);
  EXPECT_EQ(*text_of(pair.script.prompts.back().prompt.front()), "two");
  pair.script.proceed.notify_all();
  pair.settle();
  EXPECT_TRUE(second && *second);
  EXPECT_EQ(pair.script.most_running, 2U);
}

TEST(AcpClient, AnAbandonedPromptLeavesTheQueue) {
  Pair pair;
  pair.script.prompt = [&pair](const Prompt&, Peer&) -> Task<Result<PromptResult>> {
    co_await pair.script.proceed.wait();
    co_return PromptResult{};
  };
  ASSERT_TRUE(pair.result(pair.client->connect()));
  std::optional<Result<PromptResult>> second;
  {
    Scope scope(pair.loop);
    scope.start([](Client& client) -> Task<void> { static_cast<void>(co_await client.prompt(prompt_of("one"))); }(*pair.client));
    pair.begin(pair.client->prompt(prompt_of("two")), second);
    EXPECT_EQ(pair.script.prompts.size(), 1U);
  }
  pair.settle();
  EXPECT_EQ(pair.script.prompts.size(), 2U);
}

TEST(AcpClient, ACancelEndsTheRunningTurnAndWaitingPrompts) {
  Pair pair;
  pair.script.prompt = [&pair](const Prompt&, Peer&) -> Task<Result<PromptResult>> {
    co_await pair.script.proceed.wait();
    co_return PromptResult{.stop_reason = {.value = StopReason::cancelled}};
  };
  ASSERT_TRUE(pair.result(pair.client->connect()));
  std::optional<Result<PromptResult>> first;
  std::optional<Result<PromptResult>> second;
  pair.begin(pair.client->prompt(prompt_of("one")), first);
  pair.begin(pair.client->prompt(prompt_of("two")), second);
  pair.client->cancel("s-1");
  pair.settle();
  ASSERT_TRUE(first && *first && second && *second);
  EXPECT_EQ((*first)->stop_reason.value, StopReason::cancelled);
  EXPECT_EQ((*second)->stop_reason.value, StopReason::cancelled);
  EXPECT_EQ(pair.script.prompts.size(), 1U) << "the second was never sent";
  const std::size_t asked = pair.script.asked.size();
  pair.client->cancel("s-1");
  pair.settle();
  EXPECT_EQ(pair.script.asked.size(), asked) << "without a running prompt, no cancel is sent";
}

TEST(AcpClient, ACancelAnswersOpenPermissionsWithCancelled) {
  Pair pair;
  std::optional<PermissionReply> answered;
  pair.script.prompt = [&answered](const Prompt&, Peer& agent) -> Task<Result<PromptResult>> {
    auto answer = co_await agent.call(method::request_permission, {.session_id = "s-1", .tool_call = {.tool_call_id = "t"}});
    if (answer) answered = *answer;
    co_return PromptResult{.stop_reason = {.value = StopReason::cancelled}};
  };
  Signal never_answered(pair.loop);
  pair.handler.permission = [&never_answered]() -> Task<Result<PermissionReply>> {
    co_await never_answered.wait();
    co_return selected("allow");
  };
  ASSERT_TRUE(pair.result(pair.client->connect()));
  std::optional<Result<PromptResult>> turn;
  pair.begin(pair.client->prompt(prompt_of("go")), turn);
  ASSERT_EQ(pair.handler.permissions.size(), 1U);
  EXPECT_FALSE(turn);
  pair.client->cancel("s-1");
  pair.settle();
  ASSERT_TRUE(turn && answered);
  EXPECT_TRUE(std::holds_alternative<Cancelled>(answered->outcome.value));
}

// ---- missing abilities of an agent, and methods that a client does not serve
// ------------------------------------------------------

TEST(AcpClient, UsesOnlyMethodsOfTheAgent) {
  Pair pair;
  pair.script.initialized.agent = Implementation{.name = "plain"};
  ASSERT_TRUE(pair.result(pair.client->connect()));
  EXPECT_EQ(pair.result(pair.client->load_session({.session_id = "a", .cwd = "/w"})).error().message,
            "plain does not offer session/load");
  EXPECT_EQ(pair.result(pair.client->resume_session({.session_id = "a", .cwd = "/w"})).error().code, Errc::unknown_method);
  EXPECT_EQ(pair.result(pair.client->list_sessions()).error().code, Errc::unknown_method);
  EXPECT_EQ(pair.result(pair.client->close_session("a")).error().code, Errc::unknown_method);
  EXPECT_EQ(pair.result(pair.client->delete_session("a")).error().code, Errc::unknown_method);
  EXPECT_EQ(pair.result(pair.client->logout()).error().code, Errc::unknown_method);
  EXPECT_EQ(pair.script.asked, std::vector<std::string>{"initialize"});
}

TEST(AcpClient, AMissingSessionIsAnError) {
  Pair pair;
  pair.script.initialized.capabilities = AgentCapabilities{.load_session = true};
  ASSERT_TRUE(pair.result(pair.client->connect()));
  const auto lost = pair.result(pair.client->load_session({.session_id = "missing", .cwd = "/w"}));
  ASSERT_FALSE(lost);
  EXPECT_TRUE(says_not_found(lost.error()));
  EXPECT_TRUE(pair.result(pair.client->load_session({.session_id = "there", .cwd = "/w"})));
}

TEST(AcpClient, RefusesUnknownMethodsInTheWordsOfTheProtocol) {
  Pair pair;
  ASSERT_TRUE(pair.result(pair.client->connect()));
  const auto ask = [&pair](const auto& what, auto parameters) {
    auto call = [](Peer& agent, const auto& method, auto with) -> Task<Result<wire::Raw>> {
      auto answer = co_await agent.call(method, std::move(with));
      if (!answer) co_return std::unexpected(answer.error());
      co_return wire::Raw{json::to_text(*answer)};
    };
    return pair.result(call(*pair.agent, what, std::move(parameters)));
  };
  for (const auto& refused :
       {ask(method::read_text_file, ReadTextFile{.path = "/a"}), ask(method::write_text_file, WriteTextFile{.path = "/a"}),
        ask(method::create_terminal, CreateTerminal{.command = "ls"}),
        ask(method::elicit, CreateElicitation{.mode = "form", .message = "?"}),
        ask(method::iflow_questions, iflow::Questions{})}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::unknown_method) << refused.error().message;
  }
  const auto permission = ask(method::request_permission, RequestPermission{.session_id = "s-1"});
  ASSERT_TRUE(permission);
  EXPECT_EQ(permission->json, R"({"outcome":{"outcome":"cancelled"}})");
}

TEST(AcpClient, AnswersTheNamesUsedBeforeAcp) {
  Pair pair({.flavour = Flavour::iflow});
  ASSERT_TRUE(pair.result(pair.client->connect()));
  const auto call = [](Peer& agent, const auto& method) -> Task<Result<wire::Raw>> {
    auto answer = co_await agent.call(method, wire::Raw{"{}"});
    if (!answer) co_return std::unexpected(answer.error());
    co_return wire::Raw{json::to_text(*answer)};
  };
  EXPECT_EQ(pair.result(call(*pair.agent, method::push_tool_call))->json, R"({"id":"tool_1"})");
  EXPECT_EQ(pair.result(call(*pair.agent, method::push_tool_call))->json, R"({"id":"tool_2"})");
  EXPECT_TRUE(pair.result(call(*pair.agent, method::update_tool_call)));
  EXPECT_TRUE(pair.result(call(*pair.agent, method::notify_task_finish)));
  const auto questions = [](Peer& agent) -> Task<Result<iflow::Answers>> {
    co_return co_await agent.call(method::iflow_questions, {.questions = {{.question = "?", .header = "h"}}});
  };
  const auto none = pair.result(questions(*pair.agent));
  ASSERT_TRUE(none);
  EXPECT_EQ(json::to_text(*none), R"({"answers":{}})") << "without `answers` the agent breaks";
}

TEST(AcpClient, OptionsAreTextOrTruth) {
  EXPECT_EQ(json::to_text(choose_option("s", {.id = "model", .name = ""}, "gpt \"x\"")),
            R"({"sessionId":"s","configId":"model","value":"gpt \"x\""})");
  EXPECT_EQ(json::to_text(choose_option("s", {.id = "web", .name = "", .type = "boolean"}, "true")),
            R"({"sessionId":"s","configId":"web","type":"boolean","value":true})");
}

// ---- the end -------------------------------------------------------------------------------------------------------------------------

TEST(AcpClient, AllCallsFailAfterTheEndOfTheAgent) {
  Pair pair;
  pair.script.prompt = [&pair](const Prompt&, Peer&) -> Task<Result<PromptResult>> {
    co_await pair.script.proceed.wait();
    co_return PromptResult{};
  };
  ASSERT_TRUE(pair.result(pair.client->connect()));
  std::optional<Result<PromptResult>> first;
  std::optional<Result<PromptResult>> second;
  pair.begin(pair.client->prompt(prompt_of("one")), first);
  pair.begin(pair.client->prompt(prompt_of("two")), second);
  pair.agent->close();
  pair.settle();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->error().code, Errc::disconnected);
  EXPECT_EQ(second->error().code, Errc::disconnected);
  EXPECT_EQ(pair.client->state(), ConnectionState::closed);
  EXPECT_TRUE(pair.client_end);
}

TEST(AcpClient, AnAgentEndingBeforeReadyIsReported) {
  Pair pair({.flavour = Flavour::iflow, .waits_for_ready = true});
  std::optional<Result<void>> connected;
  pair.begin(pair.client->connect(), connected);
  pair.agent->close();
  pair.settle();
  ASSERT_TRUE(connected);
  EXPECT_EQ(connected->error().code, Errc::disconnected);
}

// Half open: the agent reads everything and sends nothing.
TEST(AcpClient, ASilentInitializeEndsWithARemedy) {
  for (const Flavour flavour : {Flavour::standard, Flavour::iflow}) {
    Loop loop(Loop::Time::virtual_);
    auto [near, far] = memory_pair(loop);
    test::RecordingHandler handler;
    Client client(loop, framed_stream(loop, std::move(near), line_framing()), handler,
                  {.flavour = flavour, .waits_for_ready = flavour == Flavour::iflow, .request_timeout = 5s});
    Scope scope(loop);
    std::optional<Result<void>> connected;
    const auto run = [&]() -> Task<void> { static_cast<void>(co_await client.run()); };
    const auto connect = [&]() -> Task<void> { connected = co_await client.connect(); };
    scope.start(run());
    scope.start(connect());
    loop.advance(limits::ready + 5s + 10ms);
    ASSERT_TRUE(connected);
    EXPECT_EQ(connected->error().code, Errc::deadline_exceeded);
    EXPECT_THAT(connected->error().message, testing::HasSubstr("initialize"));
    scope.cancel();
  }
}

TEST(AcpClient, ASilentAgentIsAbandoned) {
  Pair pair({.request_timeout = 5s});
  Router silent;
  ASSERT_TRUE(pair.result(pair.client->connect()));
  std::optional<Result<wire::Raw>> answer;
  pair.router.on("_vendor/slow", wire::any_call(), [&pair](const wire::Raw&, Context&) -> Task<Result<wire::Raw>> {
    co_await pair.script.proceed.wait();
    co_return wire::Raw{"{}"};
  });
  pair.begin(pair.client->request("_vendor/slow", {"{}"}), answer);
  pair.loop.advance(5s);
  pair.settle();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->error().code, Errc::deadline_exceeded);
}

}  // namespace
}  // namespace parlance::acp
