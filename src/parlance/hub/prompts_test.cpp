// SPDX-License-Identifier: Apache-2.0
// Prompts: acceptance, order in the queue, options and context.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using test::Bench;
using test::ends_after;
using test::Gate;

TEST(Prompts, LaterPromptsQueueAndRunInOrder) {
  Bench bench;
  Gate gate(bench.loop);
  bench.script = ends_after(gate);
  const std::string id = bench.conversation();
  bench.prompt(id, "one");
  const Prompted two = bench.prompt(id, "two");
  const Prompted three = bench.prompt(id, "three");
  EXPECT_TRUE(two.turn.empty());
  EXPECT_EQ(bench.store.row(id).queued.size(), 2U) << "the queue is in the store";
  EXPECT_TRUE(bench.loop.block_on(bench.hub->submit(id, WithdrawPrompt{.prompt = two.queued})));
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(id, WithdrawPrompt{.prompt = two.queued})).error().code, Errc::not_found);
  gate.release();
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.prompts, (std::vector<std::string>{"one", "three"}));
  EXPECT_TRUE(bench.hub->find(id)->queued.empty());
  EXPECT_EQ(bench.log.opened, 1);
}

// The simulator found the fault: a prompt that arrived between the end of a turn and its write ran before the queue.
TEST(Prompts, APromptDuringTheWriteOfATurnEndKeepsTheOrder) {
  Bench bench;
  Gate gate(bench.loop);
  bench.script = ends_after(gate);
  const std::string id = bench.conversation();
  bench.prompt(id, "one");
  bench.prompt(id, "two");
  bench.store.held = true;
  gate.release();
  bench.loop.run_ready();
  Scope persons(bench.loop);
  const auto send = [&]() -> Task<void> { EXPECT_TRUE(co_await bench.hub->submit(id, SendPrompt{.text = "three"})); };
  persons.start(send());
  bench.loop.run_ready();
  bench.store.held = false;
  bench.store.changed.notify_all();
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.prompts, (std::vector<std::string>{"one", "two", "three"}));
}

TEST(Prompts, OptionsOfAQueuedPromptReachTheAgent) {
  Bench bench;
  Gate gate(bench.loop);
  std::vector<PromptOptions> given;
  bench.script = [&](Turn&, Prompt prompt) -> Task<Result<StopReason>> {
    given.push_back(prompt.options);
    co_await gate.wait();
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "one", .options = {.most_rounds = 1}})));
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "two", .options = {.most_rounds = 2}})));
  bench.prompt(id, "three");
  EXPECT_FALSE(bench.hub->find(id)->queued.back().options) << "nothing is kept where nothing is wanted";
  gate.release();
  bench.loop.run_ready();
  EXPECT_EQ(given, (std::vector<PromptOptions>{{.most_rounds = 1}, {.most_rounds = 2}, {}}));
}

TEST(Prompts, TheQueueIsBounded) {
  Bench bench;
  Gate gate(bench.loop);
  bench.script = ends_after(gate);
  const std::string id = bench.conversation();
  bench.prompt(id);
  for (std::size_t i = 0; i < limits::queued_prompts; ++i) bench.prompt(id);
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "one too many"})).error().code, Errc::overloaded);
}

TEST(Prompts, BadRequestsAreRefusedWithAReason) {
  Bench bench;
  const std::string id = bench.conversation();
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = "  \n"})).error().code, Errc::invalid_params);
  EXPECT_EQ(
      bench.loop.block_on(bench.hub->submit(id, SendPrompt{.text = std::string(limits::prompt_bytes + 1, 'x')})).error().code,
      Errc::invalid_params);
  EXPECT_EQ(bench.loop.block_on(bench.hub->create({.agent = "unknown", .folder = "/"})).error().code, Errc::not_found);
  EXPECT_EQ(bench.loop.block_on(bench.hub->create({.agent = "scripted", .folder = "here"})).error().code, Errc::invalid_params);
  EXPECT_EQ(bench.hub->submit_at_once("none", StopTurn{}).error().code, Errc::not_found);
}

TEST(Prompts, TitleIsAShortLineOfTheFirstMessage) {
  Bench bench;
  const std::string id = bench.conversation();
  bench.prompt(id, "  " + std::string(30, 'a') + " " + std::string(30, 'b') + " " + std::string(30, 'c') + "\nmore");
  bench.loop.run_ready();
  bench.prompt(id, "second");
  EXPECT_EQ(bench.hub->find(id)->title, std::string(30, 'a') + " " + std::string(30, 'b') + "…");
}

TEST(Prompts, PreparedAgentIsClosedEvenWithoutAPrompt) {
  Bench bench;
  std::vector<std::string> prepared;
  bench.log.preparing = [&](PromptOptions options) -> Task<Result<void>> {
    prepared.push_back(options.system.value_or(""));
    if (prepared.size() == 1) co_return fail(Errc::not_found, "no program");
    co_return Result<void>{};
  };
  const std::string a = bench.conversation();
  const std::string b = bench.conversation();
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(a, PrepareAgent{.options = {.system = "one"}})).error().message, "no program");
  EXPECT_TRUE(bench.loop.block_on(bench.hub->submit(a, PrepareAgent{.options = {.system = "two"}})));
  EXPECT_TRUE(bench.loop.block_on(bench.hub->submit(b, PrepareAgent{})));
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit("unknown", PrepareAgent{})).error().code, Errc::not_found);
  EXPECT_EQ(prepared, (std::vector<std::string>{"one", "two", ""}));
  bench.prompt(a);
  bench.loop.run_ready();
  EXPECT_EQ(bench.trace(a), "turn_start user turn_end");
  EXPECT_EQ(bench.trace(b), "") << "nothing happened in it";
  EXPECT_EQ(bench.log.opened, 2);
  bench.loop.block_on(bench.hub->stop_all());
  EXPECT_EQ(bench.log.closed, 2);
}

TEST(Prompts, RestartRevivesADeadAgentBeforeAPrompt) {
  Bench bench;
  const std::string id = bench.conversation();
  bool there = false;
  bench.log.preparing = [&](PromptOptions) -> Task<Result<void>> {
    if (!there) co_return fail(Errc::not_found, "no program");
    co_return Result<void>{};
  };
  bench.script = [](Turn&, Prompt) -> Task<Result<StopReason>> { co_return fail(Errc::disconnected, "killed by signal 9"); };
  bench.prompt(id);
  bench.loop.run_ready();
  const int opened = bench.log.opened;
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(id, RestartAgent{})).error().message, "no program");
  there = true;
  EXPECT_TRUE(bench.loop.block_on(bench.hub->submit(id, RestartAgent{})));
  EXPECT_EQ(bench.log.opened, opened + 1) << "a failed agent is not used again";
  EXPECT_THAT(bench.trace(id), testing::EndsWith("notice"));
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit("unknown", RestartAgent{})).error().code, Errc::not_found);
}

TEST(Prompts, LiveAgentIsNotRestarted) {
  Bench bench;
  const std::string id = bench.conversation();
  bench.script = [](Turn&, Prompt) -> Task<Result<StopReason>> {
    co_await std::suspend_always{};
    co_return StopReason::end_turn;
  };
  bench.prompt(id);
  bench.loop.run_ready();
  EXPECT_EQ(bench.loop.block_on(bench.hub->submit(id, RestartAgent{})).error().code, Errc::invalid_request);
}

}  // namespace
}  // namespace parlance::hub
