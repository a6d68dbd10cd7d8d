// SPDX-License-Identifier: Apache-2.0
// Prompts: which are taken, how they wait for one another, and what goes along with them.
#include <gtest/gtest.h>

#include "parlance/hub/limits.h"
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
  EXPECT_EQ(bench.store.conversations[id].queued.size(), 2U) << "what waits is in the store";
  EXPECT_TRUE(bench.loop.block_on(bench.hub->withdraw(id, two.queued)));
  EXPECT_EQ(bench.loop.block_on(bench.hub->withdraw(id, two.queued)).error().code, Errc::not_found);
  gate.release();
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.prompts, (std::vector<std::string>{"one", "three"}));
  EXPECT_TRUE(bench.hub->find(id)->queued.empty());
  EXPECT_EQ(bench.log.opened, 1);
}

TEST(Prompts, WhatIsWantedOfTheAgentComesWithThePromptAlsoOutOfTheQueue) {
  Bench bench;
  Gate gate(bench.loop);
  std::vector<PromptOptions> given;
  bench.script = [&](Turn&, Prompt prompt) -> Task<Result<StopReason>> {
    given.push_back(prompt.options);
    co_await gate.wait();
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  ASSERT_TRUE(bench.loop.block_on(bench.hub->prompt(id, "one", {.most_rounds = 1})));
  ASSERT_TRUE(bench.loop.block_on(bench.hub->prompt(id, "two", {.most_rounds = 2})));
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
  EXPECT_EQ(bench.loop.block_on(bench.hub->prompt(id, "one too many")).error().code, Errc::overloaded);
}

TEST(Prompts, BadRequestsAreRefusedWithAReason) {
  Bench bench;
  const std::string id = bench.conversation();
  EXPECT_EQ(bench.loop.block_on(bench.hub->prompt(id, "  \n")).error().code, Errc::invalid_params);
  EXPECT_EQ(bench.loop.block_on(bench.hub->prompt(id, std::string(limits::prompt_bytes + 1, 'x'))).error().code,
            Errc::invalid_params);
  EXPECT_EQ(bench.loop.block_on(bench.hub->create({.agent = "nobody", .folder = "/"})).error().code, Errc::not_found);
  EXPECT_EQ(bench.loop.block_on(bench.hub->create({.agent = "scripted", .folder = "here"})).error().code, Errc::invalid_params);
  EXPECT_EQ(bench.hub->stop("none").error().code, Errc::not_found);
}

TEST(Prompts, TitlesAreOneShortLineOfTheFirstMessage) {
  Bench bench;
  const std::string id = bench.conversation();
  bench.prompt(id, "  " + std::string(30, 'a') + " " + std::string(30, 'b') + " " + std::string(30, 'c') + "\nmore");
  bench.loop.run_ready();
  bench.prompt(id, "second");
  EXPECT_EQ(bench.hub->find(id)->title, std::string(30, 'a') + " " + std::string(30, 'b') + "…");
}

TEST(Prompts, AnAgentIsPreparedBeforeItsFirstPromptAndClosedAlsoWhenNoneComes) {
  Bench bench;
  std::vector<std::string> prepared;
  bench.log.preparing = [&](PromptOptions options) -> Task<Result<void>> {
    prepared.push_back(options.system.value_or(""));
    if (prepared.size() == 1) co_return fail(Errc::not_found, "no program");
    co_return Result<void>{};
  };
  const std::string a = bench.conversation();
  const std::string b = bench.conversation();
  EXPECT_EQ(bench.loop.block_on(bench.hub->prepare(a, {.system = "one"})).error().message, "no program");
  EXPECT_TRUE(bench.loop.block_on(bench.hub->prepare(a, {.system = "two"})));
  EXPECT_TRUE(bench.loop.block_on(bench.hub->prepare(b, {})));
  EXPECT_EQ(bench.loop.block_on(bench.hub->prepare("nobody", {})).error().code, Errc::not_found);
  EXPECT_EQ(prepared, (std::vector<std::string>{"one", "two", ""}));
  bench.prompt(a);
  bench.loop.run_ready();
  EXPECT_EQ(bench.trace(a), "turn_start user turn_end");
  EXPECT_EQ(bench.trace(b), "") << "nothing happened in it";
  EXPECT_EQ(bench.log.opened, 2);
  bench.loop.block_on(bench.hub->stop_all());
  EXPECT_EQ(bench.log.closed, 2);
}

TEST(Prompts, AnAgentThatDiedIsStartedAgainBeforeThereIsAnotherPrompt) {
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
  EXPECT_EQ(bench.loop.block_on(bench.hub->restart(id)).error().message, "no program");
  there = true;
  EXPECT_TRUE(bench.loop.block_on(bench.hub->restart(id)));
  EXPECT_EQ(bench.log.opened, opened + 1) << "what failed is not used again";
  EXPECT_THAT(bench.trace(id), testing::EndsWith("notice"));
  EXPECT_EQ(bench.loop.block_on(bench.hub->restart("nobody")).error().code, Errc::not_found);
}

TEST(Prompts, AnAgentThatWorksIsNotStartedAgain) {
  Bench bench;
  const std::string id = bench.conversation();
  bench.script = [](Turn&, Prompt) -> Task<Result<StopReason>> {
    co_await std::suspend_always{};
    co_return StopReason::end_turn;
  };
  bench.prompt(id);
  bench.loop.run_ready();
  EXPECT_EQ(bench.loop.block_on(bench.hub->restart(id)).error().code, Errc::invalid_request);
}

}  // namespace
}  // namespace parlance::hub
