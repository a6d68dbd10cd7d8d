// SPDX-License-Identifier: Apache-2.0
// Agents on runners: refusals without the runner's connection, and ownership among several hubs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_shared_store.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::Station;
using testing::AllOf;
using testing::HasSubstr;

// As the scripted one, but on the machine of a runner.
class FarProvider final : public AgentProvider {
 public:
  FarProvider(test::Script& script, test::AgentLog& log) : inner_(script, log) {}
  AgentInfo info() const override {
    AgentInfo info = inner_.info();
    info.id = "box/scripted";
    info.runner = "box";
    info.folders = {"/farm"};
    return info;
  }
  Task<Result<std::unique_ptr<Agent>>> open(SessionSetup setup, AgentHost host) override {
    return inner_.open(std::move(setup), host);
  }

 private:
  test::ScriptedProvider inner_;
};

struct OnePlace : test::Bench {
  OnePlace() {
    hub->add_agent(std::make_unique<FarProvider>(script, log));
    auto made = loop.block_on(hub->create({.agent = "box/scripted", .folder = "/farm"}));
    PARLANCE_CHECK(made, "a conversation");
    id = made->id;
  }
  std::string id;
};

TEST(Runners, WithoutItsRunnerATurnFailsAtOnce) {
  OnePlace bench;
  EXPECT_EQ(bench.hub->find(bench.id)->runner, "box");
  const auto refused = bench.loop.block_on(bench.hub->submit(bench.id, SendPrompt{.text = "hello"}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::disconnected);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("the runner box is not connected"), HasSubstr("parlance runner --name box")));
  EXPECT_EQ(bench.hub->find(bench.id)->last_seq, 0U);
  EXPECT_TRUE(bench.loop.block_on(bench.hub->submit(bench.id, ChangeSettings{{.title = "named"}})));
  EXPECT_TRUE(bench.loop.block_on(bench.hub->events(bench.id, 0, 0, 0)));

  ASSERT_TRUE(bench.loop.block_on(bench.hub->runners().connected("box", "")));
  EXPECT_TRUE(bench.loop.block_on(bench.hub->submit(bench.id, SendPrompt{.text = "hello"})));
  bench.hub->runners().disconnected("box");
  const auto again = bench.loop.block_on(bench.hub->submit(bench.id, SendPrompt{.text = "hello"}));
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, HasSubstr("not connected since 20"));
}

TEST(Runners, LostRunnerInterruptsTheTurn) {
  OnePlace bench;
  bench.script = [](Turn&, Prompt) -> Task<Result<StopReason>> { co_return fail(Errc::disconnected, "cut off"); };
  ASSERT_TRUE(bench.loop.block_on(bench.hub->runners().connected("box", "")));
  bench.prompt(bench.id);
  while (bench.loop.run_ready()) {}
  bool interrupted = false;
  for (const Event& event : bench.store.logs[bench.id])
    if (const auto* failure = std::get_if<event::Failure>(&event.body)) interrupted = failure->code == "interrupted";
  EXPECT_TRUE(interrupted);
}

struct RunnersOfSeveral : ::testing::Test {
  RunnersOfSeveral() {
    for (Station* station : {&a, &b}) station->hub->add_agent(std::make_unique<FarProvider>(station->script, station->log));
  }
  template <class T>
  T get(Task<T> task) {
    return test::outcome_of(loop, std::move(task));
  }
  std::string conversation(Station& at) {
    const auto made = get(at.hub->create({.agent = "box/scripted", .folder = "/farm"}));
    PARLANCE_CHECK(made, "a conversation");
    loop.advance(50ms);
    return made->id;
  }

  Loop loop{Loop::Time::virtual_};
  test::SharedMemory shared{loop};
  Station a{loop, shared, "a"};
  Station b{loop, shared, "b"};
};

TEST_F(RunnersOfSeveral, CommandRunsAtTheHubOfTheRunner) {
  ASSERT_TRUE(get(a.hub->runners().connected("box", "")));
  loop.advance(50ms);
  const std::string id = conversation(b);
  ASSERT_TRUE(get(b.hub->submit(id, SendPrompt{.text = "hello"})));
  loop.advance(50ms);
  EXPECT_EQ(shared.owners[id], "a");
  EXPECT_EQ(a.log.opened, 1);
  EXPECT_EQ(b.log.opened, 0);
}

TEST_F(RunnersOfSeveral, DisconnectedRunnerFailsAtEveryHub) {
  const std::string id = conversation(a);
  for (Station* station : {&a, &b}) {
    const TimePoint began = loop.now();
    const auto refused = get(station->hub->submit(id, SendPrompt{.text = "hello"}));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("the runner box is not connected"));
    EXPECT_LT(loop.now() - began, 100ms);
  }
}

TEST_F(RunnersOfSeveral, ReconnectedRunnerMovesItsConversations) {
  ASSERT_TRUE(get(a.hub->runners().connected("box", "")));
  const std::string id = conversation(a);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "hello"})));
  loop.advance(50ms);
  EXPECT_EQ(shared.owners[id], "a");
  ASSERT_TRUE(get(b.hub->runners().connected("box", "")));
  loop.advance(50ms);
  EXPECT_NE(shared.owners[id], "a") << "its owner releases it";
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "more"})));
  loop.advance(50ms);
  EXPECT_EQ(shared.owners[id], "b");
  EXPECT_EQ(b.log.opened, 1);
}

// Otherwise both hubs would keep a runner with this name.
TEST_F(RunnersOfSeveral, ALateConnectionYieldsToANewerConnection) {
  test::Gate gate(loop);
  a.store.holds = &gate;
  std::optional<Result<RunnerConnection>> late;
  Scope scope(loop);
  const auto connect = [](Hub& hub, std::optional<Result<RunnerConnection>>& into) -> Task<void> {
    into = co_await hub.runners().connected("box", "");
  };
  scope.start(connect(*a.hub, late));
  ASSERT_TRUE(get(b.hub->runners().connected("box", "")));
  loop.advance(50ms);
  gate.release();
  loop.advance(50ms);
  ASSERT_TRUE(late && !*late);
  EXPECT_EQ(late->error().code, Errc::denied);
  const std::string id = conversation(a);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "hello"})));
  loop.advance(50ms);
  EXPECT_EQ(shared.owners[id], "b");
}

TEST_F(RunnersOfSeveral, TheHandOverContinuesWithoutItsCaller) {
  ASSERT_TRUE(get(a.hub->runners().connected("box", "")));
  const std::string id = conversation(a);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "hello"})));
  loop.advance(50ms);
  a.hub->runners().disconnected("box");
  shared.silent = true;  // The caller's command learns of the runner's new hub first.
  ASSERT_TRUE(get(b.hub->runners().connected("box", "")));
  test::Gate gate(loop);
  a.store.holds = &gate;
  Scope page(loop);
  const auto prompt = [](Hub& hub, std::string conversation) -> Task<void> {
    static_cast<void>(co_await hub.submit(std::move(conversation), SendPrompt{.text = "more"}));
  };
  page.start(prompt(*a.hub, id));
  loop.advance(50ms);
  page.cancel();
  a.store.holds = nullptr;
  gate.release();
  shared.silent = false;
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "again"})));
  loop.advance(50ms);
  EXPECT_THAT(b.log.prompts, testing::ElementsAre("again"));
}

// Its connection ends with the notice, and so does the turn; until then this hub keeps the conversation.
TEST_F(RunnersOfSeveral, RunningTurnEndsBeforeTheHandOver) {
  test::Gate gate(loop);
  a.script = [&gate](Turn&, Prompt) -> Task<Result<StopReason>> {
    co_await gate.wait();
    co_return fail(Errc::disconnected, "cut off");
  };
  ASSERT_TRUE(get(a.hub->runners().connected("box", "")));
  const std::string id = conversation(a);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "hello"})));
  ASSERT_TRUE(get(b.hub->runners().connected("box", "")));
  loop.advance(50ms);
  EXPECT_EQ(shared.owners[id], "a");
  gate.release();
  loop.advance(50ms);
  EXPECT_NE(shared.owners[id], "a");
  EXPECT_EQ(b.hub->find(id)->state, ConversationState::idle);
}

// The row names a hub without the runner as its owner: the hub of the runner would wait for that hub endlessly.
TEST_F(RunnersOfSeveral, AFailedTakeoverReturnsTheLeaseToTheHubOfTheRunner) {
  ASSERT_TRUE(get(a.hub->runners().connected("box", "")));
  const std::string id = conversation(a);
  test::Gate gate(loop);
  a.script = test::ends_after(gate);
  ASSERT_TRUE(get(a.hub->submit(id, SendPrompt{.text = "hello"})));
  a.die();
  shared.memory.failing = true;
  loop.advance(10s);
  EXPECT_EQ(shared.owners[id], "b") << "the takeover fails after its claim";
  Station c{loop, shared, "c"};
  c.hub->add_agent(std::make_unique<FarProvider>(c.script, c.log));
  ASSERT_TRUE(get(c.hub->runners().connected("box", "")));
  shared.memory.failing = false;
  loop.advance(20s);
  EXPECT_NE(shared.owners[id], "b");
  ASSERT_TRUE(get(b.hub->submit(id, SendPrompt{.text = "again"})));
  loop.advance(50ms);
  EXPECT_EQ(shared.owners[id], "c");
  EXPECT_THAT(c.log.prompts, testing::ElementsAre("again"));
}

TEST_F(RunnersOfSeveral, DeadHubLosesItsRunners) {
  ASSERT_TRUE(get(a.hub->runners().connected("box", "")));
  const std::string id = conversation(a);
  a.die();
  loop.advance(4s);
  const auto refused = get(b.hub->submit(id, SendPrompt{.text = "hello"}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::disconnected);
  ASSERT_TRUE(get(b.hub->runners().connected("box", "")));
  EXPECT_TRUE(get(b.hub->submit(id, SendPrompt{.text = "hello"})));
}

}  // namespace
}  // namespace parlance::hub
