// SPDX-License-Identifier: Apache-2.0
// The subscriptions of a page: complete, without repetitions, and without cost for a page that does not read.
#include "parlance/face/page/following.h"

#include <gtest/gtest.h>

#include "parlance/hub/conversation/event.h"
#include "parlance/hub/conversation/limits.h"
#include "parlance/hub/log/limits.h"
#include "parlance/hub/runtime/change.h"
#include "parlance/hub/test_support.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;
using hub::EventTextPage;
using hub::Prompt;
using hub::StopReason;
using hub::Turn;

constexpr std::size_t part_bytes = 64 << 10;

// An agent with one event of `bytes` of text: a notice, because the log divides long texts.
auto say(std::size_t bytes) {
  return [bytes](Turn& turn, Prompt) -> Task<Result<StopReason>> {
    turn.emit(hub::event::Notice{.text = std::string(bytes, 'a')});
    turn.emit(hub::event::Usage{.input_tokens = 1});
    co_return StopReason::end_turn;
  };
}

struct Bench : hub::test::Bench {
  Bench() {
    script = say(10);
    id = conversation();
  }
  // Writes five events: turn_start, user_message, notice, usage, turn_end.
  void talk() {
    prompt(id);
    loop.advance(100ms);
  }
  Result<EventTextPage> open(PageFollowing& following, std::uint64_t after) {
    return loop.block_on(following.open(id, after, 0));
  }
  // Gathers all current events; returns the events' numbers.
  std::vector<std::uint64_t> gather(PageFollowing& following) {
    std::vector<std::uint64_t> seqs;
    for (std::size_t before = 1; before != 0;) {
      Scope scope(loop);
      scope.start(following.gather(part_bytes));
      loop.advance(1ms);
      before = following.pending.size();
      for (const PagePiece& piece : following.pending)
        if (const auto* event = std::get_if<PageEvent>(&piece)) seqs.push_back(event->event->seq);
      lost = lost || following.lost();
      following.pending.clear();
    }
    return seqs;
  }
  std::uint64_t last() const { return store.logs.at(id).size(); }
  std::string id;
  bool lost = false;
};

std::vector<std::uint64_t> from_to(std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t seq = first; seq <= last; ++seq) all.push_back(seq);
  return all;
}

TEST(PageFollowing, ReturnsMissedEventsAndThenNewEvents) {
  Bench bench;
  bench.talk();
  PageFollowing following(bench.loop, *bench.hub);
  const auto page = bench.open(following, 2);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->first_seq, 3U);
  EXPECT_EQ(page->last_seq, 5U);
  EXPECT_EQ(page->events.size(), 3U);
  bench.talk();
  EXPECT_EQ(bench.gather(following), from_to(6, 10));
}

TEST(PageFollowing, EventsDuringTheFirstReadFollowOnce) {
  Bench bench;
  bench.talk();
  PageFollowing following(bench.loop, *bench.hub);
  std::optional<Result<EventTextPage>> page;
  bench.store.reads_held = true;
  Scope scope(bench.loop);
  const auto open = [&]() -> Task<void> { page = co_await following.open(bench.id, 0, 0); };
  scope.start(open());
  bench.talk();
  EXPECT_TRUE(bench.gather(following).empty()) << "not before the page of events";
  EXPECT_FALSE(page);
  bench.store.reads_held = false;
  bench.store.changed.notify_all();
  bench.loop.run_ready();
  ASSERT_TRUE(page && *page);
  EXPECT_EQ((*page)->last_seq, 5U);
  EXPECT_EQ((*page)->events.size(), 5U);
  EXPECT_EQ(bench.gather(following), from_to(6, 10));
}

TEST(PageFollowing, ACursorAtAnyMomentGivesEveryEventOnce) {
  for (int moment = 0; moment < 60; ++moment) {
    Bench bench;
    bench.script = [&](Turn& turn, Prompt) -> Task<Result<StopReason>> {
      for (int i = 0; i < 20; ++i) {
        turn.emit(hub::event::Text{.text = std::to_string(i) + " "});
        co_await sleep_for(bench.loop, 7ms);
      }
      co_return StopReason::end_turn;
    };
    bench.prompt(bench.id);
    bench.loop.advance(std::chrono::milliseconds(moment * 3));
    PageFollowing following(bench.loop, *bench.hub);
    const auto page = bench.open(following, 0);
    ASSERT_TRUE(page);
    std::vector<std::uint64_t> all;
    for (const hub::EventText& event : page->events) all.push_back(event.seq);
    for (int i = 0; i < 20; ++i) {
      for (const std::uint64_t seq : bench.gather(following)) all.push_back(seq);
      bench.loop.advance(50ms);
    }
    EXPECT_EQ(all, from_to(1, bench.last())) << "following from " << moment * 3 << " ms on";
  }
}

TEST(PageFollowing, ReopenedConversationRepeatsGatheredEventsOnce) {
  Bench bench;
  PageFollowing following(bench.loop, *bench.hub);
  ASSERT_TRUE(bench.open(following, 0));
  bench.talk();
  bench.loop.block_on(following.gather(part_bytes));  // not sent yet
  EXPECT_FALSE(following.pending.empty());
  const auto page = bench.open(following, 0);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->events.size(), 5U);
  EXPECT_TRUE(bench.gather(following).empty());
  bench.talk();
  EXPECT_EQ(bench.gather(following), from_to(6, 10));
}

TEST(PageFollowing, AClosedConversationIsSilentAndOthersAreNot) {
  Bench bench;
  PageFollowing following(bench.loop, *bench.hub);
  ASSERT_TRUE(bench.open(following, 0));
  following.close(bench.id);
  bench.talk();
  bench.loop.block_on(following.gather(part_bytes));
  EXPECT_FALSE(following.pending.empty()) << "the page still receives the end of the turn";
  for (const PagePiece& piece : following.pending) EXPECT_TRUE(std::holds_alternative<hub::ChangePtr>(piece));
}

// The store has the events: any number arrives in parts of bounded size, without a restart.
TEST(PageFollowing, PausedPageLosesNoEventAndUsesNoMemory) {
  Bench bench;
  PageFollowing following(bench.loop, *bench.hub);
  ASSERT_TRUE(bench.open(following, 0));
  bench.script = say(20'000);
  for (int i = 0; i < 200; ++i) bench.talk();
  std::vector<std::uint64_t> seqs;
  while (seqs.size() < bench.last()) {
    bench.loop.block_on(following.gather(part_bytes));
    std::size_t bytes = 0;
    std::size_t events = 0;
    for (const PagePiece& piece : following.pending)
      if (const auto* event = std::get_if<PageEvent>(&piece)) {
        seqs.push_back(event->event->seq);
        bytes += hub::weight_of(event->event->body);
        ++events;
      }
    EXPECT_LE(bytes, part_bytes);
    ASSERT_NE(events, 0U);
    EXPECT_FALSE(following.lost());
    following.pending.clear();
  }
  EXPECT_EQ(seqs, from_to(1, 1000));
}

// Pages that resume reading together share each read and its memory.
TEST(PageFollowing, ReturningPagesShareReads) {
  Bench bench;
  constexpr std::size_t pages = 100;
  std::vector<std::unique_ptr<PageFollowing>> followings;
  for (std::size_t i = 0; i < pages; ++i) {
    followings.push_back(std::make_unique<PageFollowing>(bench.loop, *bench.hub));
    ASSERT_TRUE(bench.open(*followings.back(), 0));
  }
  bench.script = say(3 << 20);
  for (int i = 0; i < 3; ++i) bench.talk();
  bench.script = say(10);
  bench.talk();
  ASSERT_EQ(bench.store.forward_reads, 0);
  std::vector<std::vector<const hub::Event*>> received(pages);
  for (int part = 0; part < 20; ++part) {
    Scope scope(bench.loop);
    for (auto& following : followings) scope.start(following->gather(part_bytes));
    bench.loop.run_ready();
    for (std::size_t i = 0; i < pages; ++i)
      for (const PagePiece& piece : followings[i]->pending)
        if (const auto* event = std::get_if<PageEvent>(&piece)) received[i].push_back(event->event.get());
    for (auto& following : followings) following->pending.clear();
  }
  for (const auto& message : received) {
    ASSERT_EQ(message.size(), 20U);
    EXPECT_EQ(message, received[0]) << "the same events, not the same again";
  }
  EXPECT_LE(bench.store.forward_reads, 20);
}

TEST(PageFollowing, TooManyChangesOfTheHubAreLostAndEventsAreNot) {
  Bench bench;
  PageFollowing following(bench.loop, *bench.hub);
  ASSERT_TRUE(bench.open(following, 0));
  for (std::size_t i = 0; i < limits::watcher_changes + 1; ++i)
    bench.hub->service_changed({.name = "s", .state = hub::Health::ready, .detail = std::to_string(i)});
  bench.talk();
  EXPECT_EQ(bench.gather(following), from_to(1, 5));
  EXPECT_TRUE(bench.lost);
}

TEST(PageFollowing, RemovedConversationIsClosedAndReported) {
  Bench bench;
  PageFollowing following(bench.loop, *bench.hub);
  ASSERT_TRUE(bench.open(following, 0));
  ASSERT_TRUE(bench.loop.block_on(bench.hub->submit(bench.id, hub::RemoveConversation{})));
  bench.loop.block_on(following.gather(part_bytes));
  ASSERT_EQ(following.pending.size(), 1U);
  const auto& change = std::get<hub::ChangePtr>(following.pending[0]);
  EXPECT_TRUE(std::holds_alternative<hub::change::ConversationRemoved>(*change));
  EXPECT_EQ(bench.loop.block_on(following.open(bench.id, 0, 0)).error().code, Errc::not_found);
}

TEST(PageFollowing, TemporaryReadFailureLosesNoEvent) {
  Bench bench;
  PageFollowing following(bench.loop, *bench.hub);
  ASSERT_TRUE(bench.open(following, 0));
  bench.script = say(3 << 20);
  for (int i = 0; i < 2; ++i) bench.talk();
  bench.store.unreadable = true;
  EXPECT_TRUE(bench.gather(following).empty());
  bench.loop.advance(limits::store_retry);
  bench.store.unreadable = false;
  EXPECT_EQ(bench.gather(following), from_to(1, 10));
}

TEST(PageFollowing, AFailedReadDelaysNoChangeOfTheHub) {
  Bench bench;
  PageFollowing following(bench.loop, *bench.hub);
  ASSERT_TRUE(bench.open(following, 0));
  bench.script = say(3 << 20);
  for (int i = 0; i < 2; ++i) bench.talk();
  bench.store.unreadable = true;
  const TimePoint before = bench.loop.now();
  bench.loop.block_on(following.gather(part_bytes));
  EXPECT_EQ(bench.loop.now(), before);
  EXPECT_FALSE(following.pending.empty());
}

}  // namespace
}  // namespace parlance::face
