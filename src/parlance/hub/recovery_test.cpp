// SPDX-License-Identifier: Apache-2.0
// Turns that continue after the death of their program, with a supporting agent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::Bench;
using test::Gate;
using testing::ElementsAre;
using testing::IsEmpty;

AskRequest write_request(std::string after = "new\n") {
  return {.call = "c1",
          .tool = "write_file",
          .intent = ToolIntent{.kind = ToolKind::edit,
                               .title = "notes.txt",
                               .path = "/project/notes.txt",
                               .real_path = "/project/notes.txt",
                               .path_inside = true,
                               .diff = Diff{.path = "/project/notes.txt", .after = std::move(after)}},
          .editable = EditablePart::diff};
}

struct RecoveredTurn : ::testing::Test {
  RecoveredTurn() {
    bench.log.resuming_turn = [this](Turn&, TurnSoFar so_far) -> Task<Result<StopReason>> {
      seen = std::move(so_far);
      co_return StopReason::end_turn;
    };
  }
  // Asks for a write, and reports the outcome in the call's end.
  static Task<Result<StopReason>> asks_to_write(Turn& turn, std::string after = "new\n") {
    PARLANCE_CO_TRY(answer, co_await turn.ask(write_request(std::move(after))));
    turn.emit(event::ToolEnd{.call = "c1", .state = answer.allowed() ? ToolEndState::done : ToolEndState::rejected});
    co_return StopReason::end_turn;
  }
  // A turn that has asked to write, and then its program dies.
  void die_asking() {
    bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
      turn.emit(event::ToolStart{.call = "c1", .tool = "write_file", .title = "notes.txt"});
      co_return co_await asks_to_write(turn);
    };
    id = bench.conversation();
    bench.prompt(id);
    bench.loop.run_ready();
    asked = only_ask();
  }
  Ask only_ask() {
    const auto asks = open_asks(*bench.hub);
    EXPECT_EQ(asks.size(), 1U);
    return asks.empty() ? Ask{} : asks.front();
  }
  Bench bench;
  std::string id;
  Ask asked;
  std::optional<TurnSoFar> seen;
};

TEST_F(RecoveredTurn, TurnContinuesFromItsLogAndTheQueueFollows) {
  Gate never(bench.loop);
  bench.script = [&](Turn& turn, Prompt prompt) -> Task<Result<StopReason>> {
    if (prompt.text == "later") co_return StopReason::end_turn;
    turn.emit(event::ThinkingStart{});
    turn.emit(event::ThinkingContent{"hm"});
    turn.emit(event::ThinkingEnd{});
    turn.emit(event::Text{"Hel"});
    (void)co_await turn.written();
    co_await never.wait();
    co_return StopReason::end_turn;
  };
  id = bench.conversation();
  const std::string turn = bench.prompt(id, "hello").turn;
  bench.prompt(id, "later");
  bench.loop.run_ready();
  std::string same;
  bench.log.resuming_turn = [&](Turn& on, TurnSoFar so_far) -> Task<Result<StopReason>> {
    same = on.id();
    on.emit(event::Text{"lo."});
    seen = std::move(so_far);
    co_return StopReason::end_turn;
  };
  bench.crash();
  bench.loop.run_ready();
  ASSERT_TRUE(seen);
  EXPECT_EQ(same, turn);
  EXPECT_EQ(seen->text, "Hel");
  EXPECT_EQ(seen->thought, "hm");
  EXPECT_EQ(bench.trace(id), "turn_start user think_start think think_end text text turn_end turn_start user turn_end");
  EXPECT_THAT(bench.log.prompts, ElementsAre("hello", "later"));
}

TEST_F(RecoveredTurn, PromptOptionsAreRestored) {
  Gate never(bench.loop);
  bench.script = test::ends_after(never);
  id = bench.conversation();
  ASSERT_TRUE(bench.loop.block_on(
      bench.hub->submit(id, SendPrompt{.text = "hello", .options = {.most_rounds = 3, .append_system = "Be brief."}})));
  bench.crash();
  bench.loop.run_ready();
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->options.most_rounds, 3U);
  EXPECT_EQ(seen->options.append_system, "Be brief.");
}

TEST_F(RecoveredTurn, OpenAskStaysAndItsAnswerRunsTheCall) {
  die_asking();
  bench.log.resuming_turn = [](Turn& turn, TurnSoFar) { return asks_to_write(turn); };
  bench.crash();
  bench.loop.run_ready();
  const Ask now = only_ask();
  EXPECT_EQ(now.id, asked.id);
  EXPECT_EQ(now.digest, asked.digest);
  EXPECT_EQ(now.state, AskState::open);
  EXPECT_EQ(now.diff, asked.diff);
  EXPECT_EQ(bench.hub->find(id)->state, ConversationState::waiting);
  EXPECT_EQ(bench.hub->find(id)->open_asks, 1U);
  ASSERT_TRUE(bench.answer(asked, asked.options.at(1).id)) << "always";
  bench.loop.run_ready();
  EXPECT_EQ(bench.hub->rules().size(), 1U) << "the meaning of an option is restored";
  EXPECT_EQ(bench.trace(id), "turn_start user tool_start confirm settled:answered tool_end turn_end");
  EXPECT_EQ(bench.hub->find(id)->open_asks, 0U);
}

TEST_F(RecoveredTurn, OldAskWithoutReasonsStays) {
  die_asking();
  asked.reason.reset();
  asked.digest = digest_of(asked, "/project");
  bench.store.asks.at(asked.id) = asked;
  for (Event& event : bench.store.logs[id])
    if (auto* confirmation = std::get_if<event::ToolConfirmation>(&event.body)) confirmation->ask = asked;
  bench.log.resuming_turn = [](Turn& turn, TurnSoFar) { return asks_to_write(turn); };
  bench.crash();
  bench.loop.run_ready();
  EXPECT_EQ(only_ask().id, asked.id);
  ASSERT_TRUE(bench.answer(asked, asked.options.at(0).id));
}

TEST_F(RecoveredTurn, EarlyAnswerWaitsForTheAgent) {
  die_asking();
  Gate ready(bench.loop);
  bench.log.resuming_turn = [&](Turn& turn, TurnSoFar) -> Task<Result<StopReason>> {
    co_await ready.wait();
    co_return co_await asks_to_write(turn);
  };
  bench.crash();
  bench.loop.run_ready();
  std::optional<Result<Ask>> answered;
  const auto answer = [&]() -> Task<void> {
    answered = co_await bench.hub->submit(
        asked.conversation,
        AnswerRequest{.request = asked.id, .answer = {.digest = asked.digest, .option = asked.options.front().id}});
  };
  Scope scope(bench.loop);
  scope.start(answer());
  bench.loop.run_ready();
  EXPECT_FALSE(answered);
  ready.release();
  bench.loop.run_ready();
  ASSERT_TRUE(answered && *answered);
  EXPECT_EQ(bench.trace(id), "turn_start user tool_start confirm settled:answered tool_end turn_end");
}

TEST_F(RecoveredTurn, AnsweredAskIsNotRepeated) {
  Gate never(bench.loop);
  bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::ToolStart{.call = "c1", .tool = "write_file", .title = "notes.txt"});
    (void)co_await turn.ask(write_request());
    co_await never.wait();
    co_return StopReason::end_turn;
  };
  id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  asked = only_ask();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(
      asked.conversation,
      AnswerRequest{.request = asked.id,
                    .answer = {.digest = asked.digest, .option = asked.options.front().id, .edited = "mine\n"}})));
  bench.loop.run_ready();
  std::optional<AskAnswer> received;
  bench.log.resuming_turn = [&](Turn& turn, TurnSoFar) -> Task<Result<StopReason>> {
    PARLANCE_CO_TRY(answer, co_await turn.ask(write_request()));
    received = answer;
    co_return StopReason::end_turn;
  };
  bench.crash();
  bench.loop.run_ready();
  ASSERT_TRUE(received);
  EXPECT_TRUE(received->allowed());
  EXPECT_EQ(received->edited, "mine\n");
  EXPECT_EQ(received->by, "person");
  EXPECT_EQ(bench.trace(id), "turn_start user tool_start confirm settled:answered tool_end:cancelled turn_end");
}

TEST_F(RecoveredTurn, ChangedRequestIsAskedAgain) {
  die_asking();
  bench.log.resuming_turn = [](Turn& turn, TurnSoFar) { return asks_to_write(turn, "other\n"); };
  bench.crash();
  bench.loop.run_ready();
  const Ask now = only_ask();
  EXPECT_NE(now.id, asked.id);
  EXPECT_EQ(now.diff->after, "other\n");
  EXPECT_EQ(bench.store.asks.at(asked.id).state, AskState::cancelled);
  EXPECT_EQ(bench.store.asks.at(asked.id).by, "restart");
  EXPECT_FALSE(bench.answer(asked, asked.options.front().id)) << "the old card approves nothing";
  EXPECT_EQ(bench.trace(id), "turn_start user tool_start confirm settled:cancelled confirm");
}

TEST_F(RecoveredTurn, UnrepeatedAskEndsWithItsCall) {
  die_asking();
  bench.log.resuming_turn = [](Turn& turn, TurnSoFar) -> Task<Result<StopReason>> {
    turn.emit(event::ToolEnd{.call = "c1", .state = ToolEndState::failed});
    co_return StopReason::end_turn;
  };
  bench.crash();
  bench.loop.run_ready();
  EXPECT_THAT(open_asks(*bench.hub), IsEmpty());
  EXPECT_EQ(bench.trace(id), "turn_start user tool_start confirm settled:cancelled tool_end turn_end");
}

TEST_F(RecoveredTurn, AskOfARunningCallIsNotRepeated) {
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::ToolStart{.call = "c1", .tool = "server_call", .title = "x"});
    turn.emit(event::ToolUpdate{.call = "c1", .status = CallStatus::running});
    co_return co_await asks_to_write(turn);
  };
  id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  bench.crash();
  bench.loop.run_ready();
  ASSERT_TRUE(seen);
  ASSERT_EQ(seen->calls.size(), 1U);
  EXPECT_TRUE(seen->calls[0].begun);
  EXPECT_THAT(open_asks(*bench.hub), IsEmpty());
  EXPECT_EQ(bench.trace(id), "turn_start user tool_start update confirm settled:cancelled tool_end:cancelled turn_end");
}

TEST_F(RecoveredTurn, AnExpiryRunsOn) {
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::ToolStart{.call = "c1", .tool = "write_file", .title = "notes.txt"});
    AskRequest request = write_request();
    request.expires_after = 1h;
    (void)co_await turn.ask(std::move(request));
    co_return StopReason::end_turn;
  };
  id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  Gate never(bench.loop);
  bench.log.resuming_turn = [&](Turn&, TurnSoFar) -> Task<Result<StopReason>> {
    co_await never.wait();
    co_return StopReason::end_turn;
  };
  bench.crash();
  bench.loop.advance(59min);
  EXPECT_EQ(only_ask().state, AskState::open);
  bench.loop.advance(2min);
  EXPECT_THAT(open_asks(*bench.hub), IsEmpty());
}

TEST_F(RecoveredTurn, OldTurnDoesNotContinueWithoutARequest) {
  Gate never(bench.loop);
  bench.script = test::ends_after(never);
  id = bench.conversation();
  bench.prompt(id);
  bench.loop.run_ready();
  bench.later = 11min;
  bench.crash();
  bench.loop.run_ready();
  EXPECT_FALSE(seen);
  EXPECT_EQ(bench.trace(id), "turn_start user error turn_end:error");
}

TEST_F(RecoveredTurn, OpenAskWaitsAtAnyAge) {
  die_asking();
  bench.log.resuming_turn = [](Turn& turn, TurnSoFar) { return asks_to_write(turn); };
  bench.later = 24h * 30;
  bench.crash();
  bench.loop.run_ready();
  ASSERT_TRUE(bench.answer(asked, asked.options.front().id));
  bench.loop.run_ready();
  EXPECT_EQ(bench.trace(id), "turn_start user tool_start confirm settled:answered tool_end turn_end");
}

TEST_F(RecoveredTurn, StopWorksOnARestoredTurn) {
  die_asking();
  bench.log.resuming_turn = [](Turn& turn, TurnSoFar) { return asks_to_write(turn); };
  bench.crash();
  bench.loop.run_ready();
  ASSERT_TRUE(bench.hub->submit_at_once(id, StopTurn{}));
  bench.loop.run_ready();
  EXPECT_EQ(bench.trace(id), "turn_start user tool_start confirm settled:cancelled tool_end turn_end:cancelled");
}

TEST_F(RecoveredTurn, TurnSurvivesASecondCrash) {
  die_asking();
  bench.log.resuming_turn = [](Turn& turn, TurnSoFar) { return asks_to_write(turn); };
  for (int death = 0; death < 3; ++death) {
    bench.crash();
    bench.loop.run_ready();
    EXPECT_EQ(only_ask().id, asked.id);
  }
  ASSERT_TRUE(bench.answer(asked, asked.options.front().id));
  bench.loop.run_ready();
  EXPECT_EQ(bench.trace(id), "turn_start user tool_start confirm settled:answered tool_end turn_end");
}

TEST_F(RecoveredTurn, GracefulEndLeavesTheTurnForTheNextStart) {
  die_asking();
  bench.log.resuming_turn = [](Turn& turn, TurnSoFar) { return asks_to_write(turn); };
  bench.loop.block_on(bench.hub->stop_all());
  EXPECT_EQ(bench.log.left, 1);
  EXPECT_EQ(bench.log.cancels, 0);
  EXPECT_EQ(bench.trace(id), "turn_start user tool_start confirm");
  bench.crash();
  bench.loop.run_ready();
  ASSERT_TRUE(bench.answer(asked, asked.options.front().id));
  bench.loop.run_ready();
  EXPECT_EQ(bench.trace(id), "turn_start user tool_start confirm settled:answered tool_end turn_end");
}

TEST_F(RecoveredTurn, UnsupportedAgentsTurnEndsAfterACrash) {
  die_asking();
  bench.log.resuming_turn = nullptr;
  bench.crash();
  bench.loop.run_ready();
  EXPECT_EQ(only_ask().state, AskState::orphaned);
  EXPECT_EQ(bench.trace(id), "turn_start user tool_start confirm settled:orphaned tool_end:cancelled error turn_end:error");
}

}  // namespace
}  // namespace parlance::hub
