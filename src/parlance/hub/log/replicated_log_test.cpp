// SPDX-License-Identifier: Apache-2.0
// Publication from a conversation's runtime to its followers; either side may end first.
#include "parlance/hub/log/replicated_log.h"

#include <gtest/gtest.h>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/conversation/event.h"
#include "parlance/hub/log/commit.h"
#include "parlance/hub/test_support.h"

namespace parlance::hub {
namespace {

struct CountingListener final : ReplicatedLog::Listener {
  void notify() override { ++times; }
  void notify(std::shared_ptr<const Conversation> now) override { row = std::move(now); }
  int times = 0;
  std::shared_ptr<const Conversation> row;
};

struct Between {
  Between() { store.put({{.id = "c"}}); }
  // Writes `count` events as the conversation runtime.
  void write(std::size_t count) {
    const auto commit = std::make_shared<Commit>();
    for (std::size_t i = 0; i < count; ++i) {
      commit->events.push_back({.seq = store.logs["c"].size() + 1, .body = event::Text{.text = "x"}});
      store.logs["c"].push_back(commit->events.back());
    }
    followed->publish(CommitPtr(commit), count);
  }
  Loop loop;
  test::MemoryStore store{loop};
  std::shared_ptr<ReplicatedLog> followed = std::make_shared<ReplicatedLog>(loop, store, "c", 0);
};

TEST(ReplicatedLog, KeepsEventsOnlyForListeners) {
  Between bench;
  bench.write(2);
  EXPECT_EQ(bench.followed->last_seq(), 2U);
  EXPECT_EQ(bench.followed->waiting_after(0), 0U);
  CountingListener listener;
  bench.followed->join(listener);
  EXPECT_TRUE(bench.followed->has_listeners());
  bench.write(3);
  EXPECT_EQ(listener.times, 1);
  EXPECT_EQ(bench.followed->waiting_after(2), 3U);
  EXPECT_EQ(bench.followed->waiting(2, SIZE_MAX).front()->seq, 3U);
  EXPECT_TRUE(bench.followed->waiting(0, SIZE_MAX).empty()) << "that is in the store";
  bench.followed->leave(listener);
  bench.followed->passed(2, UINT64_MAX);
  bench.write(1);
  EXPECT_EQ(listener.times, 1);
  EXPECT_EQ(bench.followed->waiting_after(0), 0U);
}

TEST(ReplicatedLog, ReadsFromTheStoreUpToThePublishedEnd) {
  Between bench;
  bench.write(4);
  const auto all = bench.loop.block_on(bench.followed->stored(1, SIZE_MAX));
  ASSERT_TRUE(all);
  EXPECT_EQ(all->size(), 3U);
  EXPECT_EQ(all->front()->seq, 2U);
  EXPECT_EQ(bench.loop.block_on(bench.followed->stored(1, 1))->size(), 1U) << "at least one, also above the limit";
}

TEST(ReplicatedLog, GapInTheLogIsAnErrorUnlessTheLogIsGone) {
  Between bench;
  bench.write(3);
  bench.store.logs["c"].erase(bench.store.logs["c"].begin() + 1);
  EXPECT_EQ(bench.loop.block_on(bench.followed->stored(1, SIZE_MAX)).error().code, Errc::internal);
  bench.followed->end();
  const auto nothing = bench.loop.block_on(bench.followed->stored(1, SIZE_MAX));
  ASSERT_TRUE(nothing);
  EXPECT_TRUE(nothing->empty());
}

TEST(ReplicatedLog, RowReachesAllListenersAndTheEndIsLast) {
  Between bench;
  CountingListener one;
  CountingListener two;
  bench.followed->join(one);
  bench.followed->join(two);
  const auto row = std::make_shared<const Conversation>(Conversation{{.id = "c", .title = "new"}});
  bench.followed->publish(row);
  EXPECT_EQ(one.row, row);
  EXPECT_EQ(two.row, row) << "the same, not a copy";
  bench.followed->end();
  EXPECT_TRUE(bench.followed->ended());
  EXPECT_EQ(one.times, 1);
  bench.followed->publish(row);
  EXPECT_FALSE(bench.followed->has_listeners());
}

}  // namespace
}  // namespace parlance::hub
