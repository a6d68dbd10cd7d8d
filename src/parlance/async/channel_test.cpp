// SPDX-License-Identifier: Apache-2.0
#include "parlance/async/channel.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"

namespace parlance {
namespace {

class ChannelTest : public testing::Test {
 protected:
  Loop loop{Loop::Time::virtual_};
  std::string heard;
  Scope scope{loop};
};

// ---- channels

TEST_F(ChannelTest, ValuesComeInTheirOrder) {
  Channel<int> channel(loop, 3);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(channel.try_push(i));
  EXPECT_FALSE(channel.try_push(3)) << "it is full";
  EXPECT_EQ(channel.size(), 3U);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(channel.try_pop(), i);
  EXPECT_EQ(channel.try_pop(), std::nullopt);
}

TEST_F(ChannelTest, SeveralReadersTakeEachValueOnce) {
  Channel<int> channel(loop, 10);
  const auto read = [&](char name) -> Task<void> {
    while (const auto value = co_await channel.pop()) heard += name + std::to_string(*value) + " ";
  };
  scope.start(read('a'));
  scope.start(read('b'));
  for (int i = 0; i < 4; ++i) {
    channel.try_push(i);
    loop.run_ready();
  }
  EXPECT_EQ(heard, "a0 b1 a2 b3 ") << "in turns";
}

TEST_F(ChannelTest, AWaitingWriterContinuesWithFreeSpace) {
  Channel<int> channel(loop, 1);
  const auto write = [&]() -> Task<void> {
    for (int i = 0; i < 4; ++i) {
      EXPECT_TRUE(co_await channel.push(i));
      heard += "w" + std::to_string(i) + " ";
    }
  };
  scope.start(write());
  loop.run_ready();
  EXPECT_EQ(heard, "w0 ");
  EXPECT_EQ(channel.try_pop(), 0);
  loop.run_ready();
  EXPECT_EQ(heard, "w0 w1 ");
  EXPECT_EQ(channel.size(), 1U) << "never more than it holds";
}

TEST_F(ChannelTest, AClosedChannelDrainsAndAcceptsNoValue) {
  Channel<std::string> channel(loop, 5);
  channel.try_push("left");
  channel.close();
  EXPECT_TRUE(channel.closed());
  EXPECT_FALSE(channel.try_push("late"));
  EXPECT_FALSE(loop.block_on(channel.push("late")));
  EXPECT_EQ(loop.block_on(channel.pop()), "left");
  EXPECT_EQ(loop.block_on(channel.pop()), std::nullopt);
  channel.close();  // again
}

TEST_F(ChannelTest, ClosingWakesAllWaiters) {
  Channel<int> empty(loop, 1);
  Channel<int> full(loop, 1);
  full.try_push(1);
  const auto read = [&]() -> Task<void> {
    if (!co_await empty.pop()) heard += "r";
  };
  const auto write = [&]() -> Task<void> {
    if (!co_await full.push(2)) heard += "w";
  };
  for (int i = 0; i < 2; ++i) {
    scope.start(read());
    scope.start(write());
  }
  loop.run_ready();
  EXPECT_EQ(heard, "");
  empty.close();
  full.close();
  loop.run_ready();
  EXPECT_EQ(heard, "rrww");
}

TEST_F(ChannelTest, ACancelledWaiterTakesNoValue) {
  Channel<int> channel(loop, 1);
  const auto read = [&]() -> Task<void> {
    const auto value = co_await channel.pop();
    heard += std::to_string(value.value_or(-1));
  };
  auto gone = scope.start(read());
  scope.start(read());
  loop.run_ready();
  gone.cancel();
  channel.try_push(7);
  loop.run_ready();
  EXPECT_EQ(heard, "7");
}

TEST_F(ChannelTest, ValuesMayBeMoveOnly) {
  Channel<std::unique_ptr<int>> channel(loop, 1);
  EXPECT_TRUE(loop.block_on(channel.push(std::make_unique<int>(5))));
  const auto value = loop.block_on(channel.pop());
  ASSERT_TRUE(value && *value);
  EXPECT_EQ(**value, 5);
}

// ---- signals

TEST_F(ChannelTest, ASignalWakesTheFirstOrAllWaiters) {
  Signal signal(loop);
  const auto wait = [&](char name) -> Task<void> {
    co_await signal.wait();
    heard += name;
  };
  for (const char name : {'a', 'b', 'c', 'd'}) scope.start(wait(name));
  EXPECT_TRUE(signal.has_waiters());
  signal.notify_one();
  loop.run_ready();
  EXPECT_EQ(heard, "a");
  signal.notify_all();
  loop.run_ready();
  EXPECT_EQ(heard, "abcd");
  EXPECT_FALSE(signal.has_waiters());
  signal.notify_one();  // nobody
  signal.notify_all();
}

TEST_F(ChannelTest, ARepeatedWaitIsNotWokenByTheSameCall) {
  Signal signal(loop);
  const auto wait = [&]() -> Task<void> {
    for (;;) {
      co_await signal.wait();
      heard += "x";
    }
  };
  scope.start(wait());
  signal.notify_all();
  loop.run_ready();
  EXPECT_EQ(heard, "x");
}

TEST_F(ChannelTest, ADestroyedWaiterIsNotWoken) {
  Signal signal(loop);
  const auto wait = [&]() -> Task<void> {
    co_await signal.wait();
    heard += "x";
  };
  auto handle = scope.start(wait());
  signal.notify_all();  // it is ready to run
  handle.cancel();      // and never will
  loop.run_ready();
  EXPECT_EQ(heard, "");
}

// ---- one value

TEST_F(ChannelTest, AOneShotKeepsItsFirstValue) {
  OneShot<int> shot(loop);
  EXPECT_FALSE(shot.is_set());
  EXPECT_TRUE(shot.set(1));
  EXPECT_FALSE(shot.set(2));
  EXPECT_EQ(loop.block_on(shot.get()), 1);
}

TEST_F(ChannelTest, AOneShotMayBeAwaitedBeforeItsValue) {
  OneShot<std::string> shot(loop);
  const auto wait = [&]() -> Task<void> { heard = co_await shot.get(); };
  scope.start(wait());
  loop.run_ready();
  EXPECT_EQ(heard, "");
  shot.set("now");
  loop.run_ready();
  EXPECT_EQ(heard, "now");
}

// ---- lists through their elements

struct Element : ListHook {
  explicit Element(int n) : number(n) {}
  int number;
};

std::string numbers(IntrusiveList<Element>& list) {
  std::string all;
  list.each([&](Element& element) { all += std::to_string(element.number); });
  return all;
}

TEST(IntrusiveList, DestroyedElementsLeaveTheList) {
  IntrusiveList<Element> list;
  Element element(1);
  Element three(3);
  {
    list.push_back(element);
    Element two(2);
    list.push_back(two);
    list.push_back(three);
    EXPECT_EQ(numbers(list), "123");
  }
  EXPECT_EQ(numbers(list), "13");
  element.unlink();
  element.unlink();  // again
  EXPECT_FALSE(element.linked());
  EXPECT_EQ(list.pop_front(), &three);
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.pop_front(), nullptr);
}

TEST(IntrusiveList, AVisitorMayRemoveItsElement) {
  IntrusiveList<Element> list;
  std::vector<std::unique_ptr<Element>> all;
  for (int i = 0; i < 6; ++i) list.push_back(*all.emplace_back(std::make_unique<Element>(i)));
  list.each([](Element& element) {
    if (element.number % 2 == 0) element.unlink();
  });
  EXPECT_EQ(numbers(list), "135");
  list.push_back(*all[0]);
  EXPECT_EQ(numbers(list), "1350");
}

TEST(IntrusiveList, ADestroyedListReleasesItsElements) {
  Element element(1);
  {
    IntrusiveList<Element> list;
    list.push_back(element);
    EXPECT_TRUE(element.linked());
  }
  EXPECT_FALSE(element.linked());
}

}  // namespace
}  // namespace parlance
