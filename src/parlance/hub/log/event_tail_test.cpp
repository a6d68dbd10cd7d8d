// SPDX-License-Identifier: Apache-2.0
// The shared tail of a log keeps unread events within its bounds.
#include "parlance/hub/log/event_tail.h"

#include <gtest/gtest.h>

#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/commit.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

// Commits of `count` events each, with consecutive numbers.
struct Tail {
  CommitPtr write(std::size_t count, std::size_t bytes_each = 1) {
    auto commit = std::make_shared<Commit>();
    for (std::size_t i = 0; i < count; ++i)
      commit->events.push_back({.seq = ++last, .body = event::Text{.text = std::string(bytes_each, 'x')}});
    return commit;
  }
  void add(std::size_t count, std::size_t followers, std::size_t bytes_each = 1) {
    tail.add(write(count, bytes_each), count * bytes_each, followers);
  }
  std::size_t count_after(std::uint64_t seq) const { return tail.count_after(seq); }

  Loop loop;
  EventTail tail{loop};
  std::uint64_t last = 0;
};

TEST(EventTail, KeepsEventsUntilEveryFollowerHasThem) {
  Tail bench;
  bench.add(3, 2);
  bench.add(2, 2);
  bench.tail.passed(0, 5);
  EXPECT_EQ(bench.count_after(0), 5U) << "the other has had nothing";
  bench.tail.passed(0, 2);
  EXPECT_EQ(bench.count_after(0), 5U) << "a part of a group of events";
  bench.tail.passed(2, 3);
  EXPECT_EQ(bench.count_after(0), 0U);
  EXPECT_EQ(bench.count_after(3), 2U);
  bench.tail.passed(3, UINT64_MAX);
  EXPECT_EQ(bench.count_after(3), 0U) << "the other has gone away";
}

TEST(EventTail, LateFollowerCountsForLaterEvents) {
  Tail bench;
  bench.add(2, 1);
  bench.add(2, 2);          // the second joined at 2
  bench.tail.passed(2, 4);  // and has received all events from the beginning
  EXPECT_EQ(bench.count_after(0), 4U);
  bench.tail.passed(0, 4);
  EXPECT_EQ(bench.count_after(0), 0U);
}

TEST(EventTail, BeginsAgainBehindAGap) {
  Tail bench;
  bench.add(2, 1);
  bench.write(3);  // without followers
  bench.add(1, 1);
  EXPECT_EQ(bench.count_after(0), 0U);
  EXPECT_TRUE(bench.tail.after(0, SIZE_MAX).empty());
  EXPECT_EQ(bench.count_after(5), 1U);
}

TEST(EventTail, IsBoundedButForTheNewest) {
  Tail bench;
  for (int i = 0; i < 100; ++i) bench.add(1, 1, 100 << 10);
  EXPECT_EQ(bench.count_after(0), 0U) << "behind";
  EXPECT_EQ(bench.count_after(99), 1U);
  EXPECT_EQ(bench.count_after(100 - follower_bytes / (100 << 10)), follower_bytes / (100 << 10));
  bench.add(1, 1, 3 * follower_bytes);
  EXPECT_EQ(bench.count_after(99), 0U);
  EXPECT_EQ(bench.count_after(100), 1U);
  for (std::size_t i = 0; i < 2 * follower_events; ++i) bench.add(1, 1);
  EXPECT_EQ(bench.count_after(bench.last - follower_events), follower_events);
  EXPECT_EQ(bench.count_after(bench.last - follower_events - 1), 0U);
}

TEST(EventTail, ReturnsBoundedPartsWithAtLeastOneEvent) {
  Tail bench;
  bench.add(10, 1, 1000);
  bench.add(1, 1, 100'000);
  const std::size_t weight = weight_of(event::Text{.text = std::string(1000, 'x')});
  EXPECT_EQ(bench.tail.after(0, 3 * weight).size(), 3U);
  const auto middle = bench.tail.after(4, 3 * weight);
  EXPECT_EQ(middle.front()->seq, 5U);
  EXPECT_EQ(bench.tail.after(10, 10).size(), 1U);
  EXPECT_TRUE(bench.tail.after(11, 10).empty());
}

// Many followers read the same part at the same time: one read, one object. A destroyed reader does not delay the others.
TEST(EventTail, StoreReadsAreShared) {
  Tail bench;
  test::MemoryStore store(bench.loop);
  ASSERT_TRUE(bench.loop.block_on(store.commit({.events_of = "c", .events = bench.write(5)->events})));
  store.reads_held = true;
  std::vector<EventTail::Part> parts;
  const auto read = [](Tail& from, Store& of, std::vector<EventTail::Part>& into) -> Task<void> {
    const auto part = co_await from.tail.read(of, "c", 2, 5, 1000);
    if (part) into.push_back(*part);
  };
  Scope scope(bench.loop);
  Scope::Handle first = scope.start(read(bench, store, parts));
  for (int i = 0; i < 9; ++i) scope.start(read(bench, store, parts));
  bench.loop.run_ready();
  EXPECT_EQ(store.forward_reads, 1);
  first.cancel();
  bench.loop.run_ready();
  EXPECT_EQ(store.forward_reads, 2) << "the next reads";
  store.reads_held = false;
  store.changed.notify_all();
  bench.loop.run_ready();
  ASSERT_EQ(parts.size(), 9U);
  for (const auto& part : parts) EXPECT_EQ(part, parts[0]);
  EXPECT_EQ(parts[0]->front().seq, 3U);
  EXPECT_EQ(store.forward_reads, 2);
  parts.clear();
  scope.start(read(bench, store, parts));
  bench.loop.run_ready();
  EXPECT_EQ(store.forward_reads, 3) << "the events had been released";
}

}  // namespace
}  // namespace parlance::hub
