// SPDX-License-Identifier: Apache-2.0
// Operations of a log: stored as a whole, or undone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/hub/log/test_event_log.h"

namespace parlance::hub {
namespace {

using test::LogBench;

TEST(EventLogOperation, SucceedsAfterWriteAndPublication) {
  LogBench bench;
  const auto outcome = bench.operation([&] { bench.log.append(event::Notice{}); }, "send");
  EXPECT_EQ(bench.outcome_of(outcome), "open");
  bench.loop.run_ready();
  EXPECT_EQ(bench.outcomes, "send done. ");
  EXPECT_EQ(bench.outcome_of(outcome), "done");
  EXPECT_EQ(bench.published, "1 | ");
}

TEST(EventLogOperation, EmptyOperationNeedsNoStore) {
  LogBench bench;
  bench.fail(true);
  const auto outcome = bench.operation([] {}, "nothing");
  bench.loop.run_ready();
  EXPECT_EQ(bench.outcome_of(outcome), "done");
  EXPECT_EQ(bench.store.attempts, 0);
}

TEST(EventLogOperation, RefusedOperationHasNoEffect) {
  LogBench bench;
  bench.fail(true);
  const auto outcome = bench.operation([&] { bench.log.append(event::Notice{.text = "mine"}); }, "send");
  bench.log.append(event::Notice{.text = "the agent's"});
  bench.loop.run_ready();
  EXPECT_EQ(bench.outcomes, "send undone. ");
  EXPECT_EQ(bench.outcome_of(outcome), "no space is left");
  bench.fail(false);
  bench.wait_for_retry();
  ASSERT_EQ(bench.store.logs["c"].size(), 1U) << "events outside of an operation are written too";
  EXPECT_EQ(std::get<event::Notice>(bench.store.logs["c"][0].body).text, "the agent's");
  EXPECT_EQ(bench.outcomes, "send undone. ");
}

TEST(EventLogOperation, WithdrawnCommandIsUndoneAndTheRestIsWrittenAtOnce) {
  LogBench bench;
  const auto command = bench.operation(
      [&] {
        bench.log.append(event::Notice{.text = "the command's"});
        bench.log.put(CommandDone{.id = "command_1"});
      },
      "command");
  bench.log.append(event::Notice{.text = "the agent's"});
  std::string written;
  bench.scope.start(bench.wait_written(written));
  bench.loop.run_ready();
  EXPECT_EQ(bench.outcomes, "command undone. ");
  EXPECT_THAT(bench.outcome_of(command), testing::HasSubstr("nothing was saved"));
  ASSERT_EQ(bench.store.logs["c"].size(), 1U);
  EXPECT_EQ(std::get<event::Notice>(bench.store.logs["c"][0].body).text, "the agent's");
  EXPECT_EQ(written, "written");
  EXPECT_EQ(bench.health, "") << "the store has not failed";
}

TEST(EventLogOperation, ClosedLogWithdrawsLaterOperationsAndRests) {
  LogBench bench;
  bench.hold(true);
  bench.fail(true);
  bench.log.append(event::Notice{.text = "on its way"});
  bench.loop.run_ready();
  bench.log.forget(not_owner("another hub has it"));
  bench.log.append(event::Notice{.text = "too late"});
  const auto outcome = bench.operation([&] { bench.log.append(event::Notice{}); }, "later");
  bench.hold(false);
  bench.loop.advance(10 * limits::store_retry);
  EXPECT_EQ(bench.outcome_of(outcome), "another hub has it");
  EXPECT_EQ(bench.store.attempts, 1) << "the write that was on its way failed, and none follows";
  EXPECT_EQ(bench.health, "") << "the store itself is well";
  EXPECT_TRUE(bench.log.idle());
  EXPECT_EQ(bench.loop.block_on(bench.log.written()).error().message, "another hub has it");
  bench.fail(false);
  bench.log.begin_at(0);
  bench.log.append(event::Notice{.text = "ours again"});
  EXPECT_TRUE(bench.loop.block_on(bench.log.written()));
  EXPECT_EQ(bench.store.logs["c"].size(), 1U);
}

TEST(EventLogOperation, TheLastIsRolledBackFirst) {
  LogBench bench;
  bench.fail(true);
  const auto one_append = bench.operation([&] { bench.log.append(event::Notice{}); }, "one");
  const auto two = bench.operation([&] { bench.log.append(event::Notice{}); }, "two");
  bench.loop.run_ready();
  EXPECT_EQ(bench.outcomes, "two undone. one undone. ");
}

TEST(EventLogOperation, OperationDuringAFailingWriteIsWithdrawnToo) {
  LogBench bench;
  bench.fail(true);
  bench.hold(true);
  bench.log.append(event::Notice{});
  bench.loop.run_ready();
  const auto outcome = bench.operation([&] { bench.log.append(event::Notice{}); }, "later");
  bench.loop.run_ready();
  EXPECT_EQ(bench.outcome_of(outcome), "open");
  bench.hold(false);
  EXPECT_EQ(bench.outcome_of(outcome), "no space is left")
      << "its frontend gets the failure at once, not when the store works again";
}

TEST(EventLogOperation, EarlierPieceIsNotPartOfTheOperation) {
  LogBench bench;
  bench.log.append(event::Text{"a"});
  bench.loop.run_ready();
  bench.log.append(event::Text{"b"});
  bench.fail(true);
  const auto outcome = bench.operation([&] { bench.log.append(event::Text{"c"}); }, "say");
  bench.loop.run_ready();
  bench.fail(false);
  bench.wait_for_retry();
  EXPECT_EQ(bench.texts(), "1:a 2:b") << "the piece stays, the rolled-back operation does not";
  EXPECT_EQ(bench.outcome_of(outcome), "no space is left");
}

TEST(EventLogOperation, FailedOperationLeavesNoWeight) {
  LogBench bench;
  bench.fail(true);
  bench.operation([&] { bench.log.put(Attachment{.about = {.id = "a"}, .data = std::string(5000, 'x')}); }, "attach");
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.unwritten_bytes(), 0U);
  bench.fail(false);
  bench.wait_for_retry();
  EXPECT_TRUE(bench.store.attachments.empty());
}

}  // namespace
}  // namespace parlance::hub
