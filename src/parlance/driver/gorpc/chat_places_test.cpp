// SPDX-License-Identifier: Apache-2.0
// Slots for Chats: never above the limit, in order of arrival, with destroyed waiters.
#include "parlance/driver/gorpc/chat_places.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/agent/limits.h"
#include "parlance/async/scope.h"

namespace parlance::driver {
namespace {

TEST(ChatPlaces, AreTakenInTheOrderOfComing) {
  Loop loop(Loop::Time::virtual_);
  ChatPlaces places(loop, 2);
  auto a = std::make_unique<ChatPlaces::Place>(places);
  auto b = std::make_unique<ChatPlaces::Place>(places);
  ChatPlaces::Place c(places);
  auto d = std::make_unique<ChatPlaces::Place>(places);
  ChatPlaces::Place e(places);
  EXPECT_TRUE(a->granted() && b->granted());
  EXPECT_FALSE(c.granted());
  EXPECT_EQ(c.before(), 0U);
  EXPECT_EQ(e.before(), 2U);
  d.reset();  // destroyed while waiting
  EXPECT_EQ(e.before(), 1U);
  b.reset();
  EXPECT_TRUE(c.granted());
  EXPECT_FALSE(e.granted());
  ChatPlaces::Place late(places);
  a.reset();
  EXPECT_TRUE(e.granted());
  EXPECT_FALSE(late.granted());
}

TEST(ChatPlaces, OneThatIsDestroyedWhenItHasJustBeenGrantedLeavesItToTheNext) {
  Loop loop(Loop::Time::virtual_);
  ChatPlaces places(loop, 1);
  auto first = std::make_unique<ChatPlaces::Place>(places);
  int began = 0;
  const auto run = [](ChatPlaces& of, int& count) -> Task<void> {
    ChatPlaces::Place place(of);
    co_await place.wait();
    ++count;
  };
  Scope scope(loop);
  auto second = scope.start(run(places, began));
  scope.start(run(places, began));
  first.reset();  // granted to the second, which has not resumed yet
  EXPECT_EQ(places.taken(), 1U);
  second.cancel();
  loop.run_ready();
  EXPECT_EQ(began, 1);
  EXPECT_EQ(places.taken(), 0U);
}

TEST(ChatPlaces, TwoHundredAtOnceAllHaveTheirTurnAndNeverMoreThanThereAre) {
  Loop loop(Loop::Time::virtual_);
  ChatPlaces places(loop);
  std::size_t running = 0;
  std::size_t most = 0;
  std::vector<int> order;
  const auto chat = [&](int number) -> Task<void> {
    ChatPlaces::Place place(places);
    co_await place.wait();
    order.push_back(number);
    most = std::max(most, ++running);
    co_await sleep_for(loop, std::chrono::milliseconds(10 + number % 7));
    --running;
  };
  Scope scope(loop);
  for (int i = 0; i < 200; ++i) scope.start(chat(i));
  EXPECT_EQ(places.waiting(), 200U - limits::running_chats);
  loop.advance(std::chrono::seconds(1));
  EXPECT_EQ(most, limits::running_chats);
  ASSERT_EQ(order.size(), 200U);
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

}  // namespace
}  // namespace parlance::driver
