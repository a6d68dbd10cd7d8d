// SPDX-License-Identifier: Apache-2.0
// Slots for Chats: never above the limit, in order of arrival, with destroyed waiters.
#include "parlance/driver/gorpc/chat_slots.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/agent/limits.h"
#include "parlance/async/scope.h"

namespace parlance::driver {
namespace {

TEST(ChatSlots, AreTakenInTheOrderOfComing) {
  Loop loop(Loop::Time::virtual_);
  ChatSlots slots(loop, 2);
  auto a = std::make_unique<ChatSlots::Slot>(slots);
  auto b = std::make_unique<ChatSlots::Slot>(slots);
  ChatSlots::Slot c(slots);
  auto d = std::make_unique<ChatSlots::Slot>(slots);
  ChatSlots::Slot e(slots);
  EXPECT_TRUE(a->granted() && b->granted());
  EXPECT_FALSE(c.granted());
  EXPECT_EQ(c.before(), 0U);
  EXPECT_EQ(e.before(), 2U);
  d.reset();  // destroyed while waiting
  EXPECT_EQ(e.before(), 1U);
  b.reset();
  EXPECT_TRUE(c.granted());
  EXPECT_FALSE(e.granted());
  ChatSlots::Slot late(slots);
  a.reset();
  EXPECT_TRUE(e.granted());
  EXPECT_FALSE(late.granted());
}

TEST(ChatSlots, OneThatIsDestroyedWhenItHasJustBeenGrantedLeavesItToTheNext) {
  Loop loop(Loop::Time::virtual_);
  ChatSlots slots(loop, 1);
  auto first = std::make_unique<ChatSlots::Slot>(slots);
  int began = 0;
  const auto run = [](ChatSlots& of, int& count) -> Task<void> {
    ChatSlots::Slot slot(of);
    co_await slot.wait();
    ++count;
  };
  Scope scope(loop);
  auto second = scope.start(run(slots, began));
  scope.start(run(slots, began));
  first.reset();  // granted to the second, which has not resumed yet
  EXPECT_EQ(slots.taken(), 1U);
  second.cancel();
  loop.run_ready();
  EXPECT_EQ(began, 1);
  EXPECT_EQ(slots.taken(), 0U);
}

TEST(ChatSlots, TwoHundredAtOnceAllHaveTheirTurnAndNeverMoreThanThereAre) {
  Loop loop(Loop::Time::virtual_);
  ChatSlots slots(loop);
  std::size_t running = 0;
  std::size_t most = 0;
  std::vector<int> order;
  const auto chat = [&](int number) -> Task<void> {
    ChatSlots::Slot slot(slots);
    co_await slot.wait();
    order.push_back(number);
    most = std::max(most, ++running);
    co_await sleep_for(loop, std::chrono::milliseconds(10 + number % 7));
    --running;
  };
  Scope scope(loop);
  for (int i = 0; i < 200; ++i) scope.start(chat(i));
  EXPECT_EQ(slots.waiting(), 200U - limits::running_chats);
  loop.advance(std::chrono::seconds(1));
  EXPECT_EQ(most, limits::running_chats);
  ASSERT_EQ(order.size(), 200U);
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

}  // namespace
}  // namespace parlance::driver
