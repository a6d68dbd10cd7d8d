// SPDX-License-Identifier: Apache-2.0
// The writer of a log: batches, withdrawn operations, and retries after a store failure.
#include "parlance/hub/log/event_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/base/utf8.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/log/limits.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;

// Refuses each commit with the outcome of a command, like a shared store after the withdrawal of the command.
struct WithdrawingStore : test::MemoryStore {
  using MemoryStore::MemoryStore;
  Task<Result<void>> write(CommitPtr change) override {
    if (change->done.empty()) return MemoryStore::write(std::move(change));
    return refuse();
  }
  static Task<Result<void>> refuse() { co_return std::unexpected(command_ended()); }
};

struct LogBench {
  LogBench() { store.put({{.id = "c"}}); }

  EventLog::Callbacks callbacks() {
    return {.time_text = [this] { return "time " + std::to_string(++times); },
            .written =
                [this](const CommitPtr& written) {
                  for (const Event& event : written->events) published += std::to_string(event.seq) + " ";
                  for (const Ask& ask : written->asks) published += ask.id + " ";
                  published += "| ";
                },
            .health = [this](const Error* error) { health += error != nullptr ? error->message + ". " : "well. "; },
            .row = [] { return Conversation{{.id = "c", .title = "as it is"}}; }};
  }
  // The log retries a failed batch after this time.
  void wait_for_retry() { loop.advance(limits::store_retry); }
  void fail(bool failing) { store.failing = failing; }
  void hold(bool held) {
    store.held = held;
    store.changed.notify_all();
    loop.run_ready();
  }
  // "1:a 2:bc": the texts in the store.
  std::string texts() {
    std::string all;
    for (const Event& event : store.logs["c"]) {
      const auto* text = std::get_if<event::Text>(&event.body);
      all += (all.empty() ? "" : " ") + std::to_string(event.seq) + ":" + (text != nullptr ? text->text : "-");
    }
    return all;
  }
  EventLog::Outcome operation(const std::function<void()>& work, const std::string& name) {
    return log.operation(
        work, {.done = [this, name] { outcomes += name + " done. "; }, .undo = [this, name] { outcomes += name + " undone. "; }});
  }
  std::string outcome_of(const EventLog::Outcome& outcome) {
    if (!outcome->is_set()) return "open";
    const auto result = loop.block_on(outcome->get());
    return result ? "done" : result.error().message;
  }
  // The result of `written()`, if available.
  Task<void> wait_written(std::string& into) {
    const auto written = co_await log.written();
    into = written ? "written" : written.error().message;
  }

  Loop loop{Loop::Time::virtual_};
  WithdrawingStore store{loop};
  int times = 0;
  std::string published;
  std::string health;
  std::string outcomes;
  EventLog log{loop, store, "c", 0, callbacks()};
  Scope scope{loop};
};

// ---- pieces -------------------------------------------------------------------------------------------------------------------------

TEST(EventLog, TheFirstPieceAfterASilenceGoesOutAtOnce) {
  LogBench bench;
  bench.log.append(event::Text{"a"});
  bench.loop.run_ready();
  EXPECT_EQ(bench.texts(), "1:a");
  EXPECT_EQ(bench.published, "1 | ");
}

TEST(EventLog, PiecesOfTheSameTextAreJoinedForSixteenMilliseconds) {
  LogBench bench;
  bench.log.append(event::Text{"a"});
  bench.loop.run_ready();
  bench.log.append(event::Text{"b"});
  bench.loop.run_ready();
  bench.log.append(event::Text{"c"});
  bench.loop.run_ready();
  EXPECT_EQ(bench.texts(), "1:a");
  bench.loop.advance(limits::event_piece_time - 1ms);
  EXPECT_EQ(bench.texts(), "1:a");
  bench.loop.advance(1ms);
  EXPECT_EQ(bench.texts(), "1:a 2:bc");
}

TEST(EventLog, LargePiecesDoNotWait) {
  LogBench bench;
  bench.log.append(event::Text{"a"});
  bench.loop.run_ready();
  bench.log.append(event::Text{std::string(limits::event_piece_bytes - 1, 'x')});
  bench.loop.run_ready();
  EXPECT_EQ(bench.store.logs["c"].size(), 1U);
  bench.log.append(event::Text{"y"});
  bench.loop.run_ready();
  EXPECT_EQ(bench.store.logs["c"].size(), 2U);
}

TEST(EventLog, LongTextsBecomeSeveralEventsWithWholeCharacters) {
  constexpr std::size_t most = limits::event_text_bytes;
  const auto texts_of = [](EventBody body) {
    LogBench bench;
    bench.log.append(event::Text{"before"});
    bench.log.append(std::move(body));
    bench.loop.run_ready();
    std::vector<std::string> texts;
    for (const Event& event : bench.store.logs["c"]) {
      if (const auto* text = std::get_if<event::Text>(&event.body)) texts.push_back(text->text);
      else texts.push_back(std::get<event::ThinkingContent>(event.body).text);
    }
    EXPECT_EQ(bench.log.unwritten_bytes(), 0U);
    return texts;
  };
  std::string whole(most - 1, 'x');
  while (whole.size() < 8 * most) whole += "\U0001F600";
  for (const EventBody& body : {EventBody(event::Text{whole}), EventBody(event::ThinkingContent{whole})}) {
    const auto texts = texts_of(body);
    EXPECT_GE(texts.size(), 9U);
    std::string all;
    for (const std::string& text : texts) {
      EXPECT_LE(text.size(), most + std::string_view("before").size());
      EXPECT_TRUE(is_valid_utf8(text));
      all += text;
    }
    EXPECT_EQ(all, "before" + whole);
  }
  EXPECT_EQ(texts_of(event::Text{std::string(2 * most, '\x80')}).size(), 2U) << "bytes without a border of characters";
}

TEST(EventLog, OtherEventsEndAPieceAndFollow) {
  LogBench bench;
  bench.log.append(event::Text{"a"});
  bench.loop.run_ready();
  bench.log.append(event::Text{"b"});
  bench.log.append(event::ToolStart{.call = "x"});
  bench.log.append(event::Text{"c"});
  bench.loop.run_ready();
  EXPECT_EQ(bench.texts(), "1:a 2:b 3:-") << "the last piece waits for more";
  bench.loop.advance(limits::event_piece_time);
  EXPECT_EQ(bench.texts(), "1:a 2:b 3:- 4:c");
}

TEST(EventLog, EventHasTheTimeOfItsAppend) {
  LogBench bench;
  bench.hold(true);
  bench.log.append(event::Notice{.text = "first"});
  bench.loop.run_ready();
  bench.log.append(event::Notice{.text = "second"});
  bench.loop.run_ready();
  EXPECT_EQ(bench.times, 2);
  bench.hold(false);
  EXPECT_EQ(bench.store.logs["c"][0].time, "time 1");
  EXPECT_EQ(bench.store.logs["c"][1].time, "time 2");
}

// ---- batches ------------------------------------------------------------------------------------------------------------------------

TEST(EventLog, TurnOfTheLoopWritesASingleBatch) {
  LogBench bench;
  bench.log.append(event::Notice{.text = "a"});
  bench.log.put(Ask{.id = "k", .conversation = "c"});
  bench.log.append(event::Notice{.text = "b"});
  bench.loop.run_ready();
  EXPECT_EQ(bench.store.commits, 1);
  EXPECT_EQ(bench.published, "1 2 k | ");
  EXPECT_EQ(bench.log.events(), 2U);
  EXPECT_EQ(bench.log.commits(), 1U);
}

TEST(EventLog, EventsDuringAWriteFormTheNextBatch) {
  LogBench bench;
  bench.hold(true);
  for (const char* text : {"a", "b", "c"}) {
    bench.log.append(event::Notice{.text = text});
    bench.loop.run_ready();
  }
  EXPECT_EQ(bench.published, "") << "nothing is published before its write";
  EXPECT_FALSE(bench.log.idle());
  bench.hold(false);
  EXPECT_EQ(bench.published, "1 | 2 3 | ");
  EXPECT_TRUE(bench.log.idle());
}

TEST(EventLog, NumbersGoOnWhereTheLogEnds) {
  LogBench bench;
  for (int i = 0; i < 7; ++i) bench.store.logs["c"].push_back({.seq = static_cast<std::uint64_t>(i) + 1});
  EventLog later(bench.loop, bench.store, "c", 7, bench.callbacks());
  later.append(event::Notice{});
  bench.loop.run_ready();
  EXPECT_EQ(bench.published, "8 | ");
}

TEST(EventLog, TheLastWordOnAConversationCountsInABatch) {
  LogBench bench;
  bench.log.put(Conversation{{.id = "c", .title = "first"}});
  bench.log.put(Conversation{{.id = "c", .title = "second"}});
  bench.loop.run_ready();
  EXPECT_EQ(bench.store.row("c").title, "second");
  EXPECT_EQ(bench.store.commits, 1);
}

TEST(EventLog, AttachmentsWeighUntilWrittenAndAreNotPublished) {
  LogBench bench;
  bench.hold(true);
  bench.log.put(Attachment{.about = {.id = "a"}, .data = std::string(1000, 'x')});
  EXPECT_EQ(bench.log.unwritten_bytes(), 1000U);
  bench.hold(false);
  bench.loop.run_ready();
  EXPECT_EQ(bench.log.unwritten_bytes(), 0U);
  EXPECT_EQ(bench.store.attachments["a"].data.size(), 1000U);
  EXPECT_EQ(bench.published, "") << "there is nothing else in it";
  bench.log.remove_attachment("a");
  bench.loop.run_ready();
  EXPECT_TRUE(bench.store.attachments.empty());
}

// ---- waiting for the store ----------------------------------------------------------------------------------------------------------

TEST(EventLog, WrittenWaitsForAllSoFarAlsoForAPiece) {
  LogBench bench;
  bench.log.append(event::Text{"a"});
  bench.loop.run_ready();
  bench.log.append(event::Text{"b"});
  std::string written;
  bench.scope.start(bench.wait_written(written));
  bench.loop.run_ready();
  EXPECT_EQ(written, "written");
  EXPECT_EQ(bench.texts(), "1:a 2:b") << "without waiting for more of it";
}

TEST(EventLog, EmptyLogCountsAsWritten) {
  LogBench bench;
  EXPECT_TRUE(bench.loop.block_on(bench.log.written()).has_value());
  EXPECT_EQ(bench.store.attempts, 0);
}

TEST(EventLog, RefusedEventsAreWrittenLaterInOrder) {
  LogBench bench;
  bench.fail(true);
  bench.log.append(event::Notice{.text = "a"});
  bench.loop.run_ready();
  EXPECT_EQ(bench.health, "no space is left. ");
  bench.log.append(event::Notice{.text = "b"});
  bench.fail(false);
  bench.wait_for_retry();
  EXPECT_EQ(bench.published, "1 2 | ");
  EXPECT_EQ(std::get<event::Notice>(bench.store.logs["c"][0].body).text, "a");
  EXPECT_EQ(std::get<event::Notice>(bench.store.logs["c"][1].body).text, "b");
  EXPECT_EQ(bench.health, "no space is left. well. ") << "said once";
  EXPECT_EQ(bench.store.row("c").title, "as it is");
}

TEST(EventLog, FailingStoreIsRetriedWithoutLoss) {
  LogBench bench;
  bench.fail(true);
  bench.log.append(event::Text{"a"});
  bench.loop.run_ready();
  const int before = bench.store.attempts;
  for (int i = 0; i < 3; ++i) bench.wait_for_retry();
  EXPECT_EQ(bench.store.attempts, before + 3);
  EXPECT_GT(bench.log.unwritten_bytes(), 0U);
  bench.fail(false);
  bench.wait_for_retry();
  EXPECT_EQ(bench.texts(), "1:a");
  EXPECT_EQ(bench.log.unwritten_bytes(), 0U);
}

TEST(EventLog, WaitersGetTheErrorWhileTheLogRetries) {
  LogBench bench;
  bench.fail(true);
  bench.log.append(event::Notice{});
  std::string written;
  bench.scope.start(bench.wait_written(written));
  bench.loop.run_ready();
  EXPECT_EQ(written, "no space is left");
  bench.fail(false);
  bench.wait_for_retry();
  EXPECT_EQ(bench.published, "1 | ");
}

// ---- operations ---------------------------------------------------------------------------------------------------------------------

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
  ASSERT_EQ(bench.store.logs["c"].size(), 1U) << "what is no operation is written all the same";
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
  EXPECT_EQ(bench.texts(), "1:a 2:b") << "the piece stays, what was taken back does not";
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
