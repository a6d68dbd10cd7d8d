// SPDX-License-Identifier: Apache-2.0
// Conversations change owner: a hub with a slow claim or release misses nothing, and every wait ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/replicated_log.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/test_shared_store.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::Gate;
using test::Station;

struct ChangedOwners : ::testing::Test {
  template <class T>
  T get(Task<T> task) {
    return test::outcome_of(loop, std::move(task));
  }
  std::string conversation(Station& at) {
    const auto made = get(at.hub->create({.agent = "scripted", .folder = "/project"}));
    PARLANCE_CHECK(made, "a conversation");
    loop.advance(1ms);
    return made->id;
  }
  // The owner of a conversation dies in the middle of a turn.
  std::string abandoned_turn() {
    a.script = test::ends_after(never);
    const std::string id = conversation(a);
    PARLANCE_CHECK(get(a.hub->submit(id, SendPrompt{.text = "long"})), "a turn");
    loop.advance(50ms);
    a.die();
    return id;
  }
  // The hub knows the conversation as the store has it.
  void expect_current(Station& at, const std::string& id) {
    const Conversation* const row = at.hub->find(id);
    ASSERT_NE(row, nullptr) << at.name;
    EXPECT_EQ(row->last_seq, shared.memory.logs[id].size()) << at.name;
    EXPECT_EQ(row->state, shared.memory.row(id).state) << at.name;
    EXPECT_EQ(row->turn, shared.memory.row(id).turn) << at.name;
    EXPECT_EQ(row->title, shared.memory.row(id).title) << at.name;
    EXPECT_EQ(at.hub->followed(id)->last_seq(), shared.memory.logs[id].size()) << at.name;
    const auto asks = open_asks(*at.hub);
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(asks, id, &Ask::conversation)), store_asks(id)) << at.name;
  }
  std::size_t store_asks(const std::string& id) {
    return static_cast<std::size_t>(std::ranges::count_if(shared.memory.asks, [&](const auto& entry) {
      return entry.second.conversation == id &&
             (entry.second.state == AskState::open || entry.second.state == AskState::orphaned);
    }));
  }

  static Task<Result<StopReason>> asks_a_person(Turn& turn, Prompt) {
    PARLANCE_CO_TRY_DO(co_await turn.ask({.title = "make", .options = {{.id = "yes", .kind = OptionKind::allow_once}}}));
    co_return StopReason::end_turn;
  }

  Loop loop{Loop::Time::virtual_};
  Gate never{loop};
  Gate slow{loop};
  test::SharedMemory shared{loop};
  Station a{loop, shared, "a"};
  Station b{loop, shared, "b"};
  Station c{loop, shared, "c"};
};

// Two hubs claim a conversation of a dead hub. The winner has committed everything before the loser receives the result.
TEST_F(ChangedOwners, TheLoserOfAClaimReadsSkippedUpdates) {
  b.store.holds = &slow;
  const std::string id = abandoned_turn();
  loop.advance(5s);
  ASSERT_EQ(shared.owners[id], "c");
  ASSERT_EQ(shared.memory.row(id).state, ConversationState::idle);
  slow.release();
  loop.advance(5s);
  expect_current(b, id);
}

TEST_F(ChangedOwners, AFailedReadOfSkippedUpdatesIsRepeated) {
  b.store.holds = &slow;
  const std::string id = abandoned_turn();
  loop.advance(5s);
  b.store.failing_looks = 2;
  slow.release();
  loop.advance(10s);
  EXPECT_EQ(b.store.failing_looks, 0);
  expect_current(b, id);
}

// A page would show the answered request as open until its next connection.
TEST_F(ChangedOwners, AFailedReadOfASettledRequestIsRepeated) {
  a.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    PARLANCE_CO_TRY_DO(co_await turn.ask({.title = "make", .options = {{.id = "yes", .kind = OptionKind::allow_once}}}));
    co_return StopReason::end_turn;
  };
  const std::string id = conversation(a);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "hello"})));
  loop.advance(5s);
  const auto asks = open_asks(*b.hub);
  ASSERT_EQ(asks.size(), 1U);
  const auto watcher = b.hub->watch();
  shared.memory.failing_asks = 2;
  ASSERT_TRUE(get(
      a.hub->submit(id, AnswerRequest{.request = asks.front().id, .answer = {.digest = asks.front().digest, .option = "yes"}})));
  loop.advance(15s);
  EXPECT_EQ(shared.memory.failing_asks, 0);
  std::vector<AskState> states;
  while (watcher->queued() != 0)
    for (const ChangePtr& change : get(watcher->next()))
      if (const auto* const asked = std::get_if<change::AskChanged>(change.get())) states.push_back(asked->ask.state);
  EXPECT_EQ(states, std::vector{AskState::answered});
}

TEST_F(ChangedOwners, ASlowReleaseReadsSkippedUpdates) {
  const std::string id = conversation(a);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "hello"})));
  a.store.holds = &slow;
  loop.advance(11min);
  ASSERT_FALSE(shared.owners.contains(id));
  ASSERT_TRUE(get(b.hub->submit(id, SendPrompt{.text = "again"})));
  loop.advance(50ms);
  slow.release();
  loop.advance(5s);
  expect_current(a, id);
}

TEST_F(ChangedOwners, ARemovalDuringASlowReleaseIsNoticed) {
  const std::string id = conversation(a);
  a.store.holds = &slow;
  loop.advance(11min);
  ASSERT_TRUE(get(b.hub->submit(id, RemoveConversation{})));
  loop.advance(50ms);
  slow.release();
  loop.advance(5s);
  EXPECT_EQ(a.hub->find(id), nullptr);
}

// The store names this hub as the owner, so no other hub can take the conversation over.
TEST_F(ChangedOwners, AFailedTakeoverIsRepeatedAfterItsClaim) {
  c.die();
  b.store.failing_looks = 1;
  const std::string id = abandoned_turn();
  loop.advance(10s);
  EXPECT_EQ(shared.owners[id], "b");
  EXPECT_EQ(b.hub->statistics().owned, 1U);
  expect_current(b, id);
}

// The removal waits for the end of the turn, and the store refuses the write of this end.
TEST_F(ChangedOwners, ARemovalByThePreviousOwnerFails) {
  a.script = test::ends_after(never);
  const std::string id = conversation(a);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "long"})));
  loop.advance(50ms);
  shared.alive.insert("x");
  shared.owners[id] = "x";
  EXPECT_FALSE(get(a.hub->submit(id, RemoveConversation{})));
  EXPECT_TRUE(shared.memory.has(id));
  EXPECT_NE(a.hub->find(id), nullptr);
}

// A command reaches the previous owner before the update about the change. Without an outcome it waits for the new owner.
TEST_F(ChangedOwners, ThePreviousOwnerWritesNoOutcomeOfACommand) {
  const std::string id = conversation(a);
  shared.alive.insert("x");
  shared.owners[id] = "x";
  Scope scope(loop);
  const auto prompt = [](Hub& hub, std::string conversation) -> Task<void> {
    static_cast<void>(co_await hub.submit(std::move(conversation), SendPrompt{.text = "again"}));
  };
  scope.start(prompt(*b.hub, id));
  loop.advance(1s);
  ASSERT_EQ(shared.commands.size(), 1U);
  EXPECT_FALSE(shared.commands.front().outcome);
}

// The store has the command, though the sender does not know it, and refuses each repetition.
TEST_F(ChangedOwners, ARefusalAfterALostAnswerIsNoFailure) {
  const std::string id = conversation(a);
  a.store.holds_lists = &slow;
  b.store.answers_lost = 1;
  std::optional<Result<Conversation>> outcome;
  Scope scope(loop);
  scope.start([](Hub& hub, std::string in, std::optional<Result<Conversation>>& into) -> Task<void> {
    into = co_await hub.submit(std::move(in), ChangeSettings{{.title = "new"}});
  }(*b.hub, id, outcome));
  loop.advance(1ms);
  b.store.refuses_commands = true;
  loop.advance(10s);
  EXPECT_FALSE(outcome) << "the owner may still execute the command";
  slow.release();
  b.store.refuses_commands = false;
  loop.advance(5s);
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(*outcome);
  EXPECT_EQ(shared.memory.row(id).title, "new");
}

TEST_F(ChangedOwners, APromptDuringAnEndlessMoveFailsInTime) {
  b.store.holds = &never;
  const std::string id = conversation(a);
  a.die();
  loop.advance(10ms);
  const TimePoint before = loop.now();
  const auto prompted = get(b.hub->submit(id, SendPrompt{.text = "hello"}));
  ASSERT_FALSE(prompted);
  EXPECT_EQ(prompted.error().code, Errc::deadline_exceeded);
  EXPECT_THAT(prompted.error().message, testing::AllOf(testing::HasSubstr("nothing was done"), testing::HasSubstr(id)));
  EXPECT_LT(loop.now() - before, 1min);
}

TEST_F(ChangedOwners, ACommandRunsOnceThoughAnOldListArrivesLater) {
  const std::string id = conversation(a);
  Gate late(loop);
  a.store.holds_lists = &late;
  const auto prompted = [&](const char* text) -> Task<void> {
    EXPECT_TRUE(co_await b.hub->submit(id, SendPrompt{.text = text}));
  };
  Scope scope(loop);
  scope.start(prompted("first"));
  loop.advance(10ms);  // the list with this prompt is read, and late
  a.store.holds_lists = nullptr;
  scope.start(prompted("second"));
  loop.advance(1s);
  EXPECT_EQ(a.log.prompts.size(), 2U);
  late.release();
  loop.advance(1s);
  EXPECT_EQ(a.log.prompts.size(), 2U);
  EXPECT_EQ(scope.running(), 0U);
}

// A hub with a wrong clock never delays the others.
struct SkewedClocks : ChangedOwners, ::testing::WithParamInterface<std::chrono::seconds> {};

TEST_P(SkewedClocks, EveryHubFollowsAllConversationsWithAnyClock) {
  b.ahead = GetParam();
  for (Station* const station : {&a, &b, &c})
    station->script = [](Turn& turn, Prompt prompt) -> Task<Result<StopReason>> {
      turn.emit(event::Text{.text = "about " + prompt.text});
      if (prompt.text != "ask") co_return StopReason::end_turn;
      turn.emit(event::ToolStart{.call = "c1", .tool = "run"});
      PARLANCE_CO_TRY(
          answer,
          co_await turn.ask(
              {.call = "c1", .tool = "run", .title = "make", .options = {{.id = "yes", .kind = OptionKind::allow_once}}}));
      turn.emit(event::ToolEnd{.call = "c1", .state = answer.allowed() ? ToolEndState::done : ToolEndState::rejected});
      co_return StopReason::end_turn;
    };
  std::vector<std::string> ids;
  for (Station* const station : {&a, &b, &c, &a, &b, &c}) ids.push_back(conversation(*station));
  const std::vector<Station*> all{&a, &b, &c};
  for (std::size_t round = 0; round < 12; ++round) {
    if (round == 6) c.ahead = -2 * GetParam();  // a jump in the middle
    for (std::size_t i = 0; i < ids.size(); ++i)
      ASSERT_TRUE(get(all[(round + i) % 3]->hub->submit(ids[i], SendPrompt{.text = "say " + std::to_string(round)})));
  }
  loop.advance(1s);
  for (const std::string& id : ids)
    for (Station* const station : all) expect_current(*station, id);
  for (const std::string& id : ids) ASSERT_TRUE(get(c.hub->submit(id, SendPrompt{.text = "ask"})));
  loop.advance(1s);
  b.store.holds = &slow;
  a.die();
  loop.advance(5s);
  slow.release();
  loop.advance(5s);
  for (const std::string& id : ids)
    for (Station* const station : {&b, &c}) expect_current(*station, id);
}

INSTANTIATE_TEST_SUITE_P(ByAnHourOrADay, SkewedClocks, testing::Values(0s, 3600s, -3600s, 86400s, -86400s));

TEST_F(ChangedOwners, WatchersReceiveASettledRequestWithoutTheAnswersCaller) {
  a.script = asks_a_person;
  const std::string id = conversation(a);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "build"})));
  loop.advance(50ms);
  const Ask ask = open_asks(*b.hub).at(0);
  const auto watcher = b.hub->watch();
  test::Gate gate(loop);
  shared.silent = true;  // The command learns of the settled request first.
  Scope page(loop);
  const auto answer = [](Hub& hub, Ask which) -> Task<void> {
    static_cast<void>(co_await hub.submit(
        which.conversation, AnswerRequest{.request = which.id, .answer = {.digest = which.digest, .option = "yes"}}));
  };
  page.start(answer(*b.hub, ask));
  b.store.holds_reads = &gate;
  loop.advance(4s);
  page.cancel();
  b.store.holds_reads = nullptr;
  gate.release();
  loop.advance(50ms);
  std::vector<AskState> states;
  for (const ChangePtr& change : get(watcher->next()))
    if (const auto* const changed = std::get_if<change::AskChanged>(&*change)) states.push_back(changed->ask.state);
  EXPECT_THAT(states, testing::ElementsAre(AskState::answered));
}

TEST_F(ChangedOwners, LeavingHubWaitsForNoPerson) {
  Gate gate(loop);
  a.script = [&gate](Turn& turn, Prompt prompt) -> Task<Result<StopReason>> {
    co_await gate.wait();
    co_return co_await asks_a_person(turn, std::move(prompt));
  };
  const std::string id = conversation(a);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "build"})));
  bool ended = false;
  Scope scope(loop);
  scope.start([](Hub& hub, TimePoint until, bool& into) -> Task<void> {
    co_await hub.drain_turns(until);
    into = true;
  }(*a.hub, loop.now() + 20s, ended));
  loop.advance(10s);
  EXPECT_FALSE(ended);
  gate.release();
  loop.advance(1ms);
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace parlance::hub
