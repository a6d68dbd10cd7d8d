// SPDX-License-Identifier: Apache-2.0
// Tests of several hubs on a shared store. Each conversation has an owner; the other hubs follow the owner and send commands to
// the owner.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/event.h"
#include "parlance/hub/follower.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/hub/test_several_hubs.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::Gate;
using test::SeveralHubs;
using test::Station;
using testing::HasSubstr;
using testing::SizeIs;

TEST_F(SeveralHubs, UnknownConversationIsLookedUpOnRequest) {
  shared.silent = true;
  const std::string id = conversation(a);
  ASSERT_EQ(b.hub->find(id), nullptr);
  const auto watcher = b.hub->watch();
  ASSERT_TRUE(get(b.hub->events(id, 0, 1, 1)));
  EXPECT_NE(b.hub->find(id), nullptr);
  EXPECT_GT(watcher->queued(), 0U) << "and published to all frontends there";
  EXPECT_FALSE(get(b.hub->events("conv_none", 0, 1, 1)));
}

TEST_F(SeveralHubs, UncertainSendIsRepeatedUntilKnown) {
  const std::string id = conversation(a);
  b.store.answers_lost = 2;
  EXPECT_TRUE(get(b.hub->submit(id, SendPrompt{.text = "hello"})));
  EXPECT_EQ(b.store.sent, 3);
  loop.advance(50ms);
  EXPECT_EQ(count(id, "user"), 1U);
}

TEST_F(SeveralHubs, FollowerReceivesTheOwnersEvents) {
  Gate gate(loop);
  a.script = [&gate](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::Text{.text = "first"});
    co_await gate.wait();
    turn.emit(event::Text{.text = "second"});
    co_return StopReason::end_turn;
  };
  const auto watcher = b.hub->watch();
  const std::string id = conversation(a);
  ASSERT_NE(b.hub->find(id), nullptr);
  EXPECT_GT(watcher->queued(), 0U);
  Follower follower(*b.hub, id, 0);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "hello"})));
  loop.advance(50ms);
  EXPECT_EQ(b.hub->find(id)->state, ConversationState::running);
  std::string texts;
  const auto read = [&] {
    while (follower.ready())
      for (const auto& event : get(follower.next())->events)
        if (const auto* text = std::get_if<event::Text>(&event->body)) texts += text->text + " ";
  };
  read();
  EXPECT_EQ(texts, "first ");
  gate.release();
  loop.advance(50ms);
  read();
  EXPECT_EQ(texts, "first second ");
  EXPECT_EQ(b.hub->find(id)->state, ConversationState::idle);
  EXPECT_EQ(b.hub->find(id)->title, "hello");
}

TEST_F(SeveralHubs, CommandsAreExecutedByTheOwner) {
  const std::string id = conversation(a);
  const auto prompted = get(b.hub->submit(id, SendPrompt{.text = "from b"}));
  ASSERT_TRUE(prompted) << prompted.error().message;
  EXPECT_THAT(prompted->turn, testing::StartsWith("turn_a"));
  EXPECT_THAT(a.log.prompts, testing::ElementsAre("from b"));
  EXPECT_THAT(b.log.prompts, testing::IsEmpty());
  const auto changed = get(b.hub->submit(id, ChangeSettings{{.title = "named by b"}}));
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(changed->title, "named by b");
  EXPECT_EQ(b.hub->find(id)->title, "named by b");
  const auto refused = get(b.hub->submit(id, SetOption{.option = "effort", .value = "enormous"}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::invalid_params) << refused.error().message;
  ASSERT_TRUE(get(b.hub->submit(id, RemoveConversation{})));
  loop.advance(10ms);
  EXPECT_EQ(a.hub->find(id), nullptr);
  EXPECT_EQ(b.hub->find(id), nullptr);
}

TEST_F(SeveralHubs, AStopAndAQueuedPromptReachTheOwner) {
  Gate never(loop);
  a.script = test::ends_after(never);
  const std::string id = conversation(a);
  ASSERT_TRUE(get(b.hub->submit(id, SendPrompt{.text = "long"})));
  const auto queued = get(b.hub->submit(id, SendPrompt{.text = "behind"}));
  ASSERT_TRUE(queued);
  EXPECT_NE(queued->queued, "");
  ASSERT_TRUE(get(b.hub->submit(id, WithdrawPrompt{.prompt = queued->queued})));
  EXPECT_THAT(a.hub->find(id)->queued, testing::IsEmpty());
  ASSERT_TRUE(b.hub->submit_at_once(id, StopTurn{}));
  loop.advance(6s);
  EXPECT_EQ(a.log.cancels, 1);
  EXPECT_EQ(b.hub->find(id)->state, ConversationState::idle);
}

TEST_F(SeveralHubs, TwoAnswersSettleAnAskOnce) {
  a.script = asks_a_person;
  const std::string id = conversation(a);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "build"})));
  loop.advance(50ms);
  const Ask ask = only_ask(b);
  std::optional<Result<Ask>> at_a;
  std::optional<Result<Ask>> at_b;
  Scope scope(loop);
  const auto answer = [](Hub& hub, Ask which, Answer how, std::optional<Result<Ask>>& into) -> Task<void> {
    into = co_await hub.submit(which.conversation, AnswerRequest{.request = which.id, .answer = std::move(how)});
  };
  scope.start(answer(*b.hub, ask, given(ask, "yes"), at_b));
  scope.start(answer(*a.hub, ask, given(ask, "no"), at_a));
  loop.advance(100ms);
  ASSERT_TRUE(at_a && at_b);
  EXPECT_NE(at_a->has_value(), at_b->has_value());
  EXPECT_EQ(count(id, "settled"), 1U);
  const Error& late = *at_a ? at_b->error() : at_a->error();
  EXPECT_THAT(late.message, testing::AnyOf(HasSubstr("settled already"), HasSubstr("another answer is being recorded")));
  EXPECT_THAT(open_asks(*b.hub), testing::IsEmpty());
}

TEST_F(SeveralHubs, AnyHubTakesAConversationWithoutOwner) {
  const std::string id = conversation(a);
  a.die();
  loop.advance(10ms);
  const auto prompted = get(b.hub->submit(id, SendPrompt{.text = "go on"}));
  ASSERT_TRUE(prompted) << prompted.error().message;
  EXPECT_EQ(shared.owners[id], "b");
  EXPECT_THAT(b.log.prompts, testing::ElementsAre("go on"));
  EXPECT_EQ(b.store.sent, 0);
}

TEST_F(SeveralHubs, TurnOfADeadOwnerIsInterruptedWithOrphanedAsks) {
  a.script = asks_a_person;
  const std::string id = conversation(a);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "build"})));
  loop.advance(50ms);
  a.die();
  loop.advance(5s);
  EXPECT_EQ(shared.owners[id], "b");
  EXPECT_EQ(b.hub->find(id)->state, ConversationState::idle);
  const Ask ask = only_ask(b);
  EXPECT_EQ(ask.state, AskState::orphaned);
  EXPECT_EQ(count(id, "turn_end"), 1U);
  b.script = asks_a_person;
  ASSERT_TRUE(get(b.hub->submit(ask.conversation, RepeatRequest{.request = ask.id})));
  loop.advance(50ms);
  ASSERT_TRUE(get(
      b.hub->submit(only_ask(b).conversation, AnswerRequest{.request = only_ask(b).id, .answer = given(only_ask(b), "yes")})));
  loop.advance(50ms);
  EXPECT_EQ(count(id, "turn_end"), 2U);
}

TEST_F(SeveralHubs, LeavingHubFinishesTurnsAndAcceptsNoWork) {
  Gate gate(loop);
  a.script = test::ends_after(gate);
  b.script = asks_a_person;
  const std::string mine = conversation(a);
  const std::string other = conversation(b);
  ASSERT_TRUE(get(a.hub->submit(mine, SendPrompt{.text = "long"})));
  ASSERT_TRUE(get(b.hub->submit(other, SendPrompt{.text = "build"})));
  bool ended = false;
  Scope scope(loop);
  scope.start([](Hub& hub, TimePoint until, bool& into) -> Task<void> {
    co_await hub.drain_turns(until);
    into = true;
  }(*a.hub, loop.now() + 20s, ended));
  b.die();
  loop.advance(10s);
  EXPECT_FALSE(ended);
  EXPECT_EQ(shared.owners[other], "b") << "another one is to take it";
  gate.release();
  loop.advance(1ms);
  EXPECT_TRUE(ended);
}

TEST_F(SeveralHubs, LostNoticesAreFoundByComparing) {
  const std::string id = conversation(a);
  shared.silent = true;
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "hello"})));
  EXPECT_EQ(b.hub->find(id)->title, "");
  loop.advance(3s);
  EXPECT_EQ(b.hub->find(id)->title, "hello");
}

TEST_F(SeveralHubs, IdleConversationIsReleasedForOtherHubs) {
  const std::string id = conversation(a);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "hello"})));
  loop.advance(11min);
  EXPECT_FALSE(shared.owners.contains(id));
  EXPECT_EQ(a.log.closed, 1);
  ASSERT_TRUE(get(b.hub->submit(id, SendPrompt{.text = "again"})));
  EXPECT_EQ(shared.owners[id], "b");
  loop.advance(10ms);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "from a"})));
  EXPECT_THAT(b.log.prompts, testing::ElementsAre("again", "from a"));
  EXPECT_EQ(count(id, "turn_end"), 3U);
}

TEST_F(SeveralHubs, FencedOwnerEndsItsAgentAndFollows) {
  Gate gate(loop);
  a.script = test::ends_after(gate);
  const std::string id = conversation(a);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "long"})));
  shared.owners[id] = "b";
  ++shared.revisions[id];
  EXPECT_FALSE(get(a.hub->submit(id, ChangeSettings{{.title = "mine"}})));
  loop.advance(100ms);
  EXPECT_EQ(a.log.destroyed, 1);
  EXPECT_EQ(a.hub->statistics().owned, 0U);
  EXPECT_EQ(a.hub->statistics().running_turns, 0U);
  EXPECT_EQ(count(id, "turn_end"), 0U);
}

TEST_F(SeveralHubs, RuleRevokedElsewhereDoesNotAllow) {
  a.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::ToolStart{.call = "c1", .tool = "run"});
    PARLANCE_CO_TRY(
        answer,
        co_await turn.ask(
            {.call = "c1",
             .tool = "run",
             .intent = ToolIntent{
                 .kind = ToolKind::edit, .title = "n", .path = "/project/n", .real_path = "/project/n", .path_inside = true}}));
    co_return answer.allowed() ? StopReason::end_turn : StopReason::refusal;
  };
  const std::string id = conversation(a);
  shared.memory.rules = {{.id = "r1", .effect = Effect::allow, .label = "all edits"}};
  ++shared.version;
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "one"})));
  loop.advance(5s);
  ASSERT_THAT(a.hub->rules(), SizeIs(1));
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "two"})));
  loop.advance(50ms);
  shared.silent = true;
  ASSERT_TRUE(get(b.hub->revoke("r1")));
  EXPECT_THAT(a.hub->rules(), SizeIs(1)) << "the change has not arrived";
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "three"})));
  loop.advance(50ms);
  EXPECT_THAT(open_asks(*a.hub), SizeIs(1)) << "a person is asked";
}

TEST_F(SeveralHubs, ProgramRequestIsRemovedWithItsDeadOwner) {
  const auto made = get(a.hub->create({.agent = "scripted", .folder = "/project", .via = "http"}));
  ASSERT_TRUE(made);
  loop.advance(10ms);
  EXPECT_THAT(b.hub->snapshot().conversations, testing::IsEmpty());
  a.die();
  loop.advance(5s);
  EXPECT_FALSE(shared.memory.has(made->id));
}

}  // namespace
}  // namespace parlance::hub
