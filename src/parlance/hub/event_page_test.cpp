// SPDX-License-Identifier: Apache-2.0
// Pages of a log, for scrolling back.
#include <algorithm>

#include <gtest/gtest.h>

#include "parlance/hub/conversation/event.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

using namespace std::chrono_literals;

TEST(EventPage, OlderPagesLeadBackToTheBeginning) {
  test::Bench bench;
  bench.script = [](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(event::Text{.text = "a"});
    turn.emit(event::Usage{.input_tokens = 1});
    co_return StopReason::end_turn;
  };
  const std::string id = bench.conversation();
  for (int i = 0; i < 5; ++i) {  // five events each: turn_start, user_message, text, usage, turn_end
    bench.prompt(id);
    bench.loop.advance(100ms);
  }
  const auto events = [&](std::uint64_t after, std::uint64_t before, std::size_t limit) {
    EventPage page = *bench.loop.block_on(bench.hub->events(id, after, before, limit));
    const EventTextPage texts = *bench.loop.block_on(bench.hub->events<EventText>(id, after, before, limit));
    EXPECT_EQ(texts.first_seq, page.first_seq);
    EXPECT_EQ(texts.last_seq, page.last_seq);
    EXPECT_TRUE(std::ranges::equal(texts.events, page.events, {}, &EventText::seq, &Event::seq));
    return page;
  };
  EventPage page = events(0, 0, 10);
  EXPECT_EQ(page.first_seq, 16U);
  EXPECT_EQ(page.last_seq, 25U);
  page = events(0, page.first_seq, 10);
  EXPECT_EQ(page.first_seq, 6U);
  page = events(0, page.first_seq, 10);
  EXPECT_EQ(page.first_seq, 1U);
  EXPECT_EQ(page.events.size(), 5U);
  page = events(0, page.first_seq, 10);
  EXPECT_TRUE(page.events.empty());
  EXPECT_EQ(page.first_seq, 0U);
  EXPECT_EQ(events(22, 0, 10).events.size(), 3U) << "after a cursor";
  EXPECT_EQ(bench.loop.block_on(bench.hub->events("conv_none", 0, 0, 0)).error().code, Errc::not_found);
  EXPECT_EQ(bench.loop.block_on(bench.hub->events<EventText>("conv_none", 0, 0, 0)).error().code, Errc::not_found);
}

// A page holds the answer in memory until its reader has received it.
TEST(EventPage, TextsAreBoundedByTheirBytes) {
  test::Bench bench;
  bench.store.text_of = [](const Event&) { return std::string(3 << 20, 'x'); };
  const std::string id = bench.conversation();
  bench.prompt(id);
  bench.loop.advance(100ms);
  const auto page = bench.loop.block_on(bench.hub->events<EventText>(id, 0, 0, 0));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->events.size(), 1U) << "one of 3 MiB fits into 4 MiB";
  EXPECT_EQ(page->first_seq, page->last_seq);
}

}  // namespace
}  // namespace parlance::hub
