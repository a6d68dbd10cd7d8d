// SPDX-License-Identifier: Apache-2.0
// The states of an ask and their transitions.
#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/tool_event.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::Bench;

ToolIntent edit_intent() {
  return {.kind = ToolKind::edit,
          .title = "src/a.cpp",
          .path = "/project/src/a.cpp",
          .real_path = "/project/src/a.cpp",
          .path_inside = true,
          .diff = Diff{.path = "/project/src/a.cpp", .before = "old", .after = "new"}};
}

// Asks for an edit and records the result.
struct Asking : Bench {
  Asking() {
    script = [this](Turn& turn, Prompt prompt) -> Task<Result<StopReason>> {
      if (prompt.resume) resumed = prompt.resume;
      turn.emit(
          event::ToolStart{.call = "call_1", .tool = "edit_file", .title = "src/a.cpp", .input_json = R"({"path":"src/a.cpp"})"});
      AskRequest request{
          .call = "call_1", .tool = "edit_file", .options = options, .intent = edit_intent(), .expires_after = expires};
      if (path) request.intent->path = request.intent->title = *path;
      auto answered = co_await turn.ask(std::move(request));
      if (!answered) co_return std::unexpected(answered.error());
      answer_seen = *answered;
      turn.emit(event::ToolEnd{.call = "call_1", .state = answer_seen->allowed() ? ToolEndState::done : ToolEndState::rejected});
      co_return StopReason::end_turn;
    };
    id = conversation();
  }
  Ask open_ask() {
    prompt(id);
    loop.run_ready();
    PARLANCE_CHECK(open_asks(*hub).size() == 1, "one open ask");
    return open_asks(*hub)[0];
  }

  std::string id;
  std::vector<AskOption> options;  // the agent's options; empty: the hub's
  std::optional<std::string> path;
  std::optional<Duration> expires;
  std::optional<AskAnswer> answer_seen;
  std::optional<Resume> resumed;
};

TEST(Asks, ARowBeforeACardAndTheAgentReceivesTheAnswer) {
  Asking bench;
  const Ask ask = bench.open_ask();
  EXPECT_EQ(bench.store.asks.at(ask.id).state, AskState::open);
  EXPECT_EQ(bench.trace(bench.id), "turn_start user tool_start confirm");
  EXPECT_EQ(bench.hub->find(bench.id)->state, ConversationState::waiting);
  EXPECT_EQ(bench.hub->find(bench.id)->open_asks, 1U);
  EXPECT_EQ(ask.title, "src/a.cpp");
  EXPECT_EQ(ask.diff->after, "new");
  EXPECT_EQ(ask.why, "Scripted wants this in /project: changes need approval");
  Reason reason(ReasonId::edits_asked);
  reason.agent = "Scripted";
  EXPECT_EQ(ask.reason, reason);

  const auto settled = bench.answer(ask, "allow_once");
  ASSERT_TRUE(settled);
  EXPECT_EQ(settled->state, AskState::answered);
  bench.loop.run_ready();
  EXPECT_TRUE(bench.answer_seen->allowed());
  EXPECT_EQ(bench.trace(bench.id), "turn_start user tool_start confirm settled:answered tool_end turn_end");
  EXPECT_EQ(bench.store.asks.at(ask.id).chosen, "allow_once");
  EXPECT_EQ(bench.store.asks.at(ask.id).by, "person");
  EXPECT_EQ(bench.hub->find(bench.id)->open_asks, 0U);
  EXPECT_TRUE(open_asks(*bench.hub).empty());
}

TEST(Asks, TheFirstAnswerCountsAndTheOthersAreNotified) {
  Asking bench;
  const Ask ask = bench.open_ask();
  // Both at once, before anything is written.
  std::optional<Result<Ask>> first;
  std::optional<Result<Ask>> second;
  const auto give = [&](std::optional<Result<Ask>>& into, std::string option) -> Task<void> {
    into = co_await bench.hub->submit(
        ask.conversation, AnswerRequest{.request = ask.id, .answer = {.digest = ask.digest, .option = std::move(option)}});
  };
  Scope scope(bench.loop);
  bench.store.held = true;
  scope.start(give(first, "reject"));
  scope.start(give(second, "allow_once"));
  bench.store.held = false;
  bench.store.changed.notify_all();
  bench.loop.run_ready();
  EXPECT_TRUE(*first);
  EXPECT_EQ((*second).error().code, Errc::failed);
  EXPECT_FALSE(bench.answer_seen->allowed());
  const auto third = bench.answer(ask, "allow_once");
  EXPECT_EQ(third.error().message, "this was settled already: answered reject by person");
}

TEST(Asks, AnAnswerToSomethingElseIsRefused) {
  Asking bench;
  const Ask ask = bench.open_ask();
  const auto answer = [&](Answer given) {
    return bench.loop.block_on(bench.hub->submit(ask.conversation, AnswerRequest{.request = ask.id, .answer = std::move(given)}));
  };
  EXPECT_EQ(answer({.digest = "0000", .option = "allow_once"}).error().code, Errc::invalid_request);
  EXPECT_EQ(answer({.option = "allow_once"}).error().code, Errc::invalid_request);
  EXPECT_EQ(answer({.digest = ask.digest, .option = "made_up"}).error().code, Errc::invalid_params);
  EXPECT_EQ(answer({.digest = ask.digest}).error().code, Errc::invalid_params);
  EXPECT_EQ(
      bench.loop
          .block_on(bench.hub->submit(
              ask.conversation, AnswerRequest{.request = "ask_none", .answer = {.digest = ask.digest, .option = "allow_once"}}))
          .error()
          .code,
      Errc::not_found);
  EXPECT_FALSE(bench.answer_seen) << "none of them moved it";
  EXPECT_EQ(bench.hub->find_ask(ask.id)->state, AskState::open);
}

TEST(Asks, DigestCoversAllShownContent) {
  const Ask ask{.conversation = "c",
                .call = "1",
                .tool = "edit",
                .title = "t",
                .why = "w",
                .detail = "d",
                .diff = Diff{"p", "b", "a"},
                .options = {{.id = "yes", .label = "Yes", .kind = OptionKind::allow_once}}};
  const std::string digest = digest_of(ask, "/f");
  EXPECT_EQ(digest.size(), 64U);
  EXPECT_EQ(digest_of(ask, "/f"), digest);
  EXPECT_NE(digest_of(ask, "/g"), digest);
  const auto differs = [&](auto change) {
    Ask other = ask;
    change(other);
    return digest_of(other, "/f") != digest;
  };
  EXPECT_TRUE(differs([](Ask& a) { a.title = "x"; }));
  EXPECT_TRUE(differs([](Ask& a) { a.detail = "x"; }));
  EXPECT_TRUE(differs([](Ask& a) { a.detail.reset(); }));
  EXPECT_TRUE(differs([](Ask& a) { a.diff->after = "x"; }));
  EXPECT_TRUE(differs([](Ask& a) { a.diff->before.reset(); }));
  EXPECT_TRUE(differs([](Ask& a) { a.diff->path = "x"; }));
  EXPECT_TRUE(differs([](Ask& a) { a.call = "2"; }));
  EXPECT_TRUE(differs([](Ask& a) { a.options[0].label = "No"; }));
  EXPECT_TRUE(differs([](Ask& a) { a.questions = {{.question = "q"}}; }));
  EXPECT_TRUE(differs([](Ask& a) { a.plan = "p"; }));
  EXPECT_TRUE(differs([](Ask& a) { std::swap(a.title, a.why); }));
}

TEST(Asks, ExpiryIsNoAnswer) {
  Asking bench;
  bench.expires = 60s;
  const Ask ask = bench.open_ask();
  bench.loop.advance(59s);
  EXPECT_FALSE(bench.answer_seen);
  bench.loop.advance(2s);
  EXPECT_EQ(bench.answer_seen->state, AskState::expired);
  EXPECT_FALSE(bench.answer_seen->allowed());
  EXPECT_EQ(bench.store.asks.at(ask.id).state, AskState::expired);
  EXPECT_EQ(bench.store.asks.at(ask.id).by, "expiry");
  EXPECT_EQ(bench.answer(ask, "allow_once").error().message, "this was settled already: expired by expiry");
}

TEST(Asks, StopCancelsOpenAsks) {
  Asking bench;
  const Ask ask = bench.open_ask();
  (void)bench.hub->submit_at_once(bench.id, StopTurn{});
  bench.loop.run_ready();
  EXPECT_EQ(bench.answer_seen->state, AskState::cancelled);
  EXPECT_EQ(bench.store.asks.at(ask.id).state, AskState::cancelled);
  EXPECT_EQ(bench.trace(bench.id), "turn_start user tool_start confirm settled:cancelled tool_end turn_end:cancelled");
}

TEST(Asks, CrashOrphansAsksForReask) {
  Asking bench;
  const Ask ask = bench.open_ask();
  bench.crash();
  const Snapshot after = bench.hub->snapshot();
  ASSERT_EQ(after.asks.size(), 1U);
  EXPECT_EQ(after.asks[0].state, AskState::orphaned);
  EXPECT_EQ(after.conversations[0].open_asks, 1U);
  EXPECT_EQ(bench.trace(bench.id), "turn_start user tool_start confirm settled:orphaned tool_end:cancelled error turn_end:error");
  EXPECT_EQ(bench.answer(ask, "allow_once").error().message, "the agent of this request has ended: resume and ask again");

  const auto again = bench.loop.block_on(bench.hub->submit(ask.conversation, RepeatRequest{.request = ask.id}));
  ASSERT_TRUE(again);
  bench.loop.run_ready();
  EXPECT_EQ(bench.resumed->call.id, "call_1");
  EXPECT_EQ(bench.resumed->call.arguments_json, R"({"path":"src/a.cpp"})");
  EXPECT_EQ(bench.store.asks.at(ask.id).state, AskState::cancelled);
  ASSERT_EQ(open_asks(*bench.hub).size(), 1U);
  const Ask second = open_asks(*bench.hub)[0];
  EXPECT_NE(second.id, ask.id);
  EXPECT_EQ(second.state, AskState::open);
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(ask.conversation, RepeatRequest{.request = ask.id})).error().code,
            Errc::not_found);
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(second.conversation, RepeatRequest{.request = second.id})).error().code,
            Errc::failed)
      << "its agent is there";
  ASSERT_TRUE(bench.answer(second, "allow_once"));
  bench.loop.run_ready();
  EXPECT_TRUE(bench.answer_seen->allowed());
  // For the model the call was made once, and has its result.
  const auto history = *bench.loop.block_on(bench.hub->history(bench.id));
  ASSERT_EQ(history.size(), 3U);
  EXPECT_EQ(history[2].results, (std::vector<ToolResult>{{.call = "call_1", .text = "", .state = ToolEndState::done}}));
}

TEST(Asks, GoingOnWithAnotherPromptSettlesAnOrphan) {
  Asking bench;
  const Ask ask = bench.open_ask();
  bench.crash();
  bench.script = [](Turn&, Prompt) -> Task<Result<StopReason>> { co_return StopReason::end_turn; };
  bench.prompt(bench.id, "never mind");
  bench.loop.run_ready();
  EXPECT_EQ(bench.store.asks.at(ask.id).state, AskState::cancelled);
  EXPECT_EQ(bench.hub->find(bench.id)->open_asks, 0U);
  EXPECT_FALSE(bench.loop.block_on(bench.hub->submit(ask.conversation, RepeatRequest{.request = ask.id})));
}

TEST(Asks, DeadAgentOrphansAsksWithoutARestart) {
  Asking bench;
  Signal die(bench.loop);
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    Scope asks(bench.loop);
    const auto ask = [](Turn& in) -> Task<void> {
      (void)co_await in.ask({.title = "x", .options = {{.id = "ok", .label = "OK"}}});
    };
    asks.start(ask(turn));
    co_await die.wait();
    co_return fail(Errc::disconnected, "died");
  };
  const Ask ask = bench.open_ask();
  die.notify_all();
  bench.loop.advance(10ms);
  EXPECT_EQ(bench.store.asks.at(ask.id).state, AskState::orphaned);
  EXPECT_EQ(bench.hub->find(bench.id)->open_asks, 1U);
  EXPECT_EQ(bench.hub->find(bench.id)->state, ConversationState::idle);
}

TEST(Asks, OrderlyEndOrphansAsksForReask) {
  Asking bench;
  const Ask ask = bench.open_ask();
  bench.loop.block_on(bench.hub->stop_all());
  EXPECT_EQ(bench.store.asks.at(ask.id).state, AskState::orphaned);
  bench.crash();  // no unwritten state remains
  ASSERT_EQ(open_asks(*bench.hub).size(), 1U);
  EXPECT_EQ(bench.hub->find(bench.id)->open_asks, 1U);
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(ask.conversation, RepeatRequest{.request = ask.id})));
  bench.loop.run_ready();
  EXPECT_EQ(bench.resumed->call.id, "call_1");
}

TEST(Asks, AgentMayWithdrawItsAsk) {
  Asking bench;
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    auto answered = co_await with_deadline(bench.loop, bench.loop.now() + 5s,
                                           turn.ask({.title = "x", .options = {{.id = "ok", .label = "OK"}}}));
    EXPECT_EQ(answered.error().code, Errc::deadline_exceeded);
    co_await sleep_for(bench.loop, 1s);
    co_return StopReason::end_turn;
  };
  const Ask ask = bench.open_ask();
  bench.loop.advance(5s + 100ms);
  EXPECT_EQ(bench.store.asks.at(ask.id).state, AskState::cancelled);
  EXPECT_EQ(bench.hub->find(bench.id)->state, ConversationState::running);
  bench.loop.advance(2s);
}

TEST(Asks, AlwaysAnswerCreatesARevocableRule) {
  Asking bench;
  const Ask ask = bench.open_ask();
  ASSERT_TRUE(bench.answer(ask, "allow_folder"));
  bench.loop.run_ready();
  ASSERT_EQ(bench.store.rules.size(), 1U);
  EXPECT_EQ(bench.store.rules[0].label, "“Edit file” in /project");
  bench.crash();  // the rule lasts
  bench.answer_seen.reset();
  bench.prompt(bench.id);
  bench.loop.run_ready();
  ASSERT_TRUE(bench.answer_seen) << "no card this time";
  EXPECT_TRUE(bench.answer_seen->allowed());
  EXPECT_EQ(bench.answer_seen->why, "rule: “Edit file” in /project");
  EXPECT_EQ(bench.hub->rules().at(0).uses, 1U);
  bench.loop.advance(100ms);
  EXPECT_EQ(bench.store.rules[0].uses, 1U) << "stored with its decision";
  EXPECT_FALSE(bench.store.rules[0].used_for.value_or("").empty());
  EXPECT_FALSE(bench.store.rules[0].used_at.value_or("").empty());
  ASSERT_TRUE(bench.loop.block_on(bench.hub->revoke(bench.store.rules[0].id)));
  EXPECT_TRUE(bench.store.rules.empty());
  bench.answer_seen.reset();
  bench.open_ask();
  EXPECT_FALSE(bench.answer_seen);
  EXPECT_EQ(bench.loop.block_on(bench.hub->revoke("rule_none")).error().code, Errc::not_found);
}

TEST(Asks, AlwaysForAMisleadingPathIsRefused) {
  const AskOption always{.id = "always", .label = "Always", .kind = OptionKind::allow_always};
  const AskOption once{.id = "once", .label = "Once", .kind = OptionKind::allow_once};
  const auto offered = [](const std::vector<AskOption>& options, const std::string& path) {
    Asking bench;
    bench.options = options;
    bench.path = path;
    std::string ids;
    for (const AskOption& option : bench.open_ask().options) ids += option.id + " ";
    return ids;
  };
  EXPECT_EQ(offered({once, always}, "/project/a.txt"), "once always ");
  EXPECT_EQ(offered({once, always}, "/project/a\u202Etxt.hs"), "once ");
  EXPECT_EQ(offered({always}, "/project/a\u202Etxt.hs"), "allow_once reject reject_stop ");
  EXPECT_EQ(offered({}, "/project/a\u202Etxt.hs"), "allow_once reject reject_stop ");
}

TEST(Asks, NewRuleAnswersOpenAsks) {
  Asking bench;
  const std::string other = bench.conversation();
  bench.prompt(bench.id);
  bench.prompt(other);
  bench.loop.run_ready();
  ASSERT_EQ(open_asks(*bench.hub).size(), 2U);
  ASSERT_TRUE(bench.answer(open_asks(*bench.hub)[0], "allow_folder"));
  bench.loop.run_ready();
  EXPECT_TRUE(open_asks(*bench.hub).empty());
  EXPECT_EQ(bench.trace(bench.id), bench.trace(other));
}

TEST(Asks, PlanModeDeniesWithoutACard) {
  Asking bench;
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(bench.id, ChangeSettings{{.mode = Mode::plan}})));
  bench.prompt(bench.id);
  bench.loop.run_ready();
  EXPECT_FALSE(bench.answer_seen->allowed());
  EXPECT_EQ(bench.answer_seen->why, "mode plan: changes and commands wait for the approval of the plan");
  EXPECT_TRUE(bench.store.asks.empty());
}

TEST(Asks, QuestionsNeedEveryAnswerOrARefusal) {
  Asking bench;
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    auto answered = co_await turn.ask(
        {.kind = AskKind::question,
         .title = "Two things",
         .questions = {{{.question = "Which?", .options = {{.label = "A"}, {.label = "B"}}},
                        {.question = "What else?", .multiple = true, .options = {{.label = "C"}, {.label = "D"}}}}}});
    bench.answer_seen = *answered;
    co_return StopReason::end_turn;
  };
  Ask ask = bench.open_ask();
  const auto answer = [&](Answer given) {
    given.digest = ask.digest;
    return bench.loop.block_on(bench.hub->submit(ask.conversation, AnswerRequest{.request = ask.id, .answer = std::move(given)}));
  };
  EXPECT_FALSE(answer({.answers = {{"A"}}}));
  EXPECT_FALSE(answer({.answers = {{"A"}, {}}}));
  EXPECT_FALSE(answer({.answers = {{"A", "B"}, {"C"}}})) << "the first takes one answer";
  ASSERT_TRUE(answer({.answers = {{"A"}, {"C", "D"}}}));
  bench.loop.run_ready();
  EXPECT_EQ(bench.answer_seen->answers, (std::vector<std::vector<std::string>>{{"A"}, {"C", "D"}}));
  EXPECT_EQ(bench.store.asks.at(ask.id).text, "A; C, D");

  ask = bench.open_ask();
  ASSERT_TRUE(answer({.option = std::string(decline)}));
  bench.loop.run_ready();
  EXPECT_TRUE(bench.answer_seen->answers.empty());
  EXPECT_EQ(bench.answer_seen->option, "decline");
}

TEST(Asks, EndingHubWithOpenAsksEndsItsAgents) {
  Asking bench;
  bench.open_ask();
  bench.hub.reset();
  EXPECT_FALSE(bench.answer_seen);
}

}  // namespace
}  // namespace parlance::hub
