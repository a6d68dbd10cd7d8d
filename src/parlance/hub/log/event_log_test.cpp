// SPDX-License-Identifier: Apache-2.0
// The writer of a log: pieces, batches, and retries after a store failure.
#include "parlance/hub/log/event_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/base/utf8.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/log/limits.h"
#include "parlance/hub/log/shared_store.h"
#include "parlance/hub/log/test_event_log.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;
using test::LogBench;

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

}  // namespace
}  // namespace parlance::hub
