// SPDX-License-Identifier: Apache-2.0
// Commands for the owner of a conversation: executed once, by the present owner, or withdrawn without an effect.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_several_hubs.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::Gate;
using test::SeveralHubs;
using test::Station;
using testing::HasSubstr;

TEST_F(SeveralHubs, CommandForADeadOwnerIsExecutedByTheNext) {
  const std::string id = conversation(a);
  a.hub.reset();  // the owner hangs: the lease stays valid
  std::optional<Result<Prompted>> outcome;
  Scope scope(loop);
  scope.start([](Hub& hub, std::string conversation, std::optional<Result<Prompted>>& into) -> Task<void> {
    into = co_await hub.submit(std::move(conversation), SendPrompt{.text = "hello"});
  }(*b.hub, id, outcome));
  loop.advance(10s);
  EXPECT_FALSE(outcome);
  a.store.die();
  loop.advance(5s);
  ASSERT_TRUE(outcome);
  ASSERT_TRUE(*outcome) << outcome->error().message;
  EXPECT_EQ(count(id, "user"), 1U);
  EXPECT_EQ(shared.commands.size(), 1U);
}

TEST_F(SeveralHubs, UnexecutedCommandIsWithdrawn) {
  const std::string id = conversation(a);
  a.hub.reset();
  const auto outcome = get(b.hub->submit(id, SendPrompt{.text = "hello"}));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Errc::deadline_exceeded);
  EXPECT_THAT(outcome.error().message, HasSubstr("nothing was done"));
  const auto restarted = get(b.hub->submit(id, RestartAgent{}));
  ASSERT_FALSE(restarted);
  EXPECT_THAT(restarted.error().message, HasSubstr("check the conversation before you send this again"));
  a.store.die();
  loop.advance(10s);
  EXPECT_EQ(count(id, "user"), 0U);
}

// The owner has read the command, and the store refuses its effect. The running turn goes on.
TEST_F(SeveralHubs, CommandWithdrawnAtItsOwnerHasNoEffect) {
  a.script = asks_a_person;
  const std::string id = conversation(a);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "build"})));
  loop.advance(50ms);
  Gate lists(loop);
  a.store.holds_lists = &lists;
  Scope scope(loop);
  std::optional<Result<CommandOutcome>> outcome;
  scope.start([](SharedStore& store, std::string conversation, std::optional<Result<CommandOutcome>>& into) -> Task<void> {
    into = co_await store.send(
        {.id = "command_1", .conversation = std::move(conversation), .command = ChangeSettings{{.title = "late"}}});
  }(b.store, id, outcome));
  loop.advance(5s);
  EXPECT_FALSE(*get(b.store.withdraw_command("command_1")));
  const Ask ask = only_ask(a);
  lists.release();
  loop.advance(1ms);
  ASSERT_TRUE(get(a.hub->submit(id, AnswerRequest{.request = ask.id, .answer = given(ask, "yes")})));
  loop.advance(1s);
  EXPECT_NE(a.hub->find(id)->title, "late");
  EXPECT_NE(shared.memory.row(id).title, "late");
  EXPECT_EQ(count(id, "turn_end"), 1U) << "the turn ends well";
}

// The new owner waits until the agent repeats the request. An answer that fails with a timeout meanwhile leaves the request
// open.
TEST_F(SeveralHubs, WithdrawnAnswerIsNeverApplied) {
  a.script = asks_a_person;
  Gate gate(loop);
  b.log.resuming_turn = [&gate](Turn& turn, TurnSoFar) -> Task<Result<StopReason>> {
    co_await gate.wait();
    co_return co_await turn.ask(
        {.call = "c1",
         .tool = "run",
         .title = "make",
         .options = {{.id = "yes", .kind = OptionKind::allow_once}, {.id = "no", .kind = OptionKind::reject_once}}})
        ? StopReason::end_turn
        : StopReason::error;
  };
  const std::string id = conversation(a);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "build"})));
  loop.advance(50ms);
  a.die();
  loop.advance(5s);
  ASSERT_EQ(shared.owners[id], "b");
  Station c{loop, shared, "c"};
  loop.advance(1s);
  const Ask ask = only_ask(c);
  const auto outcome = get(c.hub->submit(ask.conversation, AnswerRequest{.request = ask.id, .answer = given(ask, "yes")}));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, Errc::deadline_exceeded) << outcome.error().message;
  gate.release();
  loop.advance(1s);
  EXPECT_EQ(only_ask(b).state, AskState::open);
  ASSERT_TRUE(get(c.hub->submit(ask.conversation, AnswerRequest{.request = ask.id, .answer = given(ask, "yes")})));
  loop.advance(1s);
  EXPECT_EQ(count(id, "turn_end"), 1U);
}

TEST_F(SeveralHubs, RepeatedCommandIsExecutedOnce) {
  const std::string id = conversation(a);
  const Submission command{.id = "command_1", .conversation = id, .command = SendPrompt{.text = "hello"}};
  const auto outcome = get(b.store.send(command));
  const auto again = get(b.store.send(command));
  ASSERT_TRUE(outcome && again);
  EXPECT_EQ(outcome->prompted.turn, again->prompted.turn);
  loop.advance(5s);
  EXPECT_EQ(count(id, "user"), 1U);
}

// The owner stores the outcome in the same commit, so the next owner does not run the command again.
TEST_F(SeveralHubs, ExecutedCommandsOfADeadOwnerAreNotRepeated) {
  Gate never(loop);
  a.script = test::ends_after(never);
  const std::string id = conversation(a);
  const Submission command{.id = "command_1", .conversation = id, .command = SendPrompt{.text = "hello"}};
  std::optional<Result<CommandOutcome>> outcome;
  Scope scope(loop);
  scope.start([](SharedStore& store, Submission submission, std::optional<Result<CommandOutcome>>& into) -> Task<void> {
    into = co_await store.send(std::move(submission));
  }(b.store, command, outcome));
  while (count(id, "user") == 0) loop.advance(1ms);
  a.die();
  loop.advance(10s);
  EXPECT_EQ(shared.owners[id], "b");
  EXPECT_EQ(count(id, "user"), 1U);
  ASSERT_TRUE(outcome && *outcome);
  EXPECT_THAT((*outcome)->prompted.turn, testing::StartsWith("turn_a"));
}

}  // namespace
}  // namespace parlance::hub
