// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "parlance/async/channel.h"
#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/async/worker.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;

Task<int> twice(int x) { co_return x * 2; }

Task<void> record(Loop& loop, std::string& trace, char name, Duration time) {
  trace += name;
  co_await sleep_for(loop, time);
  trace += name;
}

TEST(Task, EndsWithItsValue) {
  Loop loop;
  EXPECT_EQ(loop.block_on(twice(21)), 42);
}

TEST(Task, AnExceptionReachesTheAwaiter) {
  Loop loop;
  const auto thrower = []() -> Task<int> {
    throw std::runtime_error("bug");
    co_return 1;
  };
  EXPECT_THROW(loop.block_on(thrower()), std::runtime_error);
}

TEST(Loop, VirtualTimeFiresTimersInOrderWithoutWaiting) {
  Loop loop(Loop::Time::virtual_);
  std::string trace;
  Scope scope(loop);
  scope.start(record(loop, trace, 'b', 2h));
  scope.start(record(loop, trace, 'a', 1h));
  EXPECT_EQ(trace, "ba");
  loop.advance(1h);
  EXPECT_EQ(trace, "baa");
  loop.advance(1h);
  EXPECT_EQ(trace, "baab");
  EXPECT_EQ(scope.running(), 0U);
}

TEST(Loop, RealTimersFire) {
  Loop loop;
  const auto start = Clock::now();
  const auto wait = [&]() -> Task<void> { co_await sleep_for(loop, 20ms); };
  loop.block_on(wait());
  EXPECT_GE(Clock::now() - start, 20ms);
}

TEST(Scope, DestructorCancelsWaitingCoroutines) {
  Loop loop(Loop::Time::virtual_);
  std::string trace;
  struct Farewell {
    std::string& trace;
    ~Farewell() { trace += "gone"; }
  };
  const auto wait = [&]() -> Task<void> {
    const Farewell farewell{trace};
    co_await sleep_for(loop, 1h);
    trace += "never";
  };
  {
    Scope scope(loop);
    EXPECT_TRUE(scope.start(wait()));
    EXPECT_EQ(scope.running(), 1U);
  }
  loop.advance(2h);
  EXPECT_EQ(trace, "gone");
}

TEST(Scope, AHandleIsEmptyOnceItsCoroutineHasEnded) {
  Loop loop(Loop::Time::virtual_);
  Scope scope(loop);
  const auto nothing = []() -> Task<void> { co_return; };
  EXPECT_FALSE(scope.start(nothing())) << "it ended before anybody could name it";
  const auto wait = [&]() -> Task<void> { co_await sleep_for(loop, 1s); };
  Scope::Handle handle = scope.start(wait());
  EXPECT_TRUE(handle);
  Scope::Handle moved = std::move(handle);
  handle.cancel();  // NOLINT(bugprone-use-after-move): a moved handle is empty
  EXPECT_EQ(scope.running(), 1U);
  loop.advance(1s);
  EXPECT_FALSE(moved);
  moved.cancel();
  EXPECT_EQ(scope.running(), 0U);
}

TEST(Scope, AHandleCancelsItsCoroutineAndItsDestructorDoesNot) {
  Loop loop(Loop::Time::virtual_);
  Scope::Handle kept;
  {
    Scope scope(loop);
    std::string trace;
    Scope::Handle a = scope.start(record(loop, trace, 'a', 1s));
    kept = scope.start(record(loop, trace, 'b', 1s));
    { const Scope::Handle forgotten = scope.start(record(loop, trace, 'c', 2s)); }
    a.cancel();
    EXPECT_FALSE(a);
    loop.advance(2s);
    EXPECT_EQ(trace, "abcbc");
    EXPECT_FALSE(kept);
    kept = scope.start(record(loop, trace, 'd', 1s));
  }
  EXPECT_FALSE(kept) << "its scope is gone";
}

TEST(Scope, JoinWaitsForAll) {
  Loop loop(Loop::Time::virtual_);
  std::string trace;
  Scope scope(loop);
  scope.start(record(loop, trace, 'a', 1s));
  scope.start(record(loop, trace, 'b', 2s));
  loop.block_on(scope.join());
  EXPECT_EQ(trace, "abab");
}

TEST(WithDeadline, TheFirstOfResultAndDeadlineWins) {
  Loop loop(Loop::Time::virtual_);
  bool finished = false;
  const auto slow = [&](Duration time) -> Task<Result<int>> {
    co_await sleep_for(loop, time);
    finished = true;
    co_return 7;
  };
  const auto race = [&](Duration time) -> Task<Result<int>> {
    co_return co_await with_deadline(loop, loop.now() + 10s, slow(time));
  };
  EXPECT_EQ(*loop.block_on(race(5s)), 7);
  EXPECT_TRUE(finished);
  finished = false;
  EXPECT_EQ(loop.block_on(race(15s)).error().code, Errc::deadline_exceeded);
  loop.advance(1min);
  EXPECT_FALSE(finished);
}

TEST(Channel, AFullChannelBlocksTheProducer) {
  Loop loop(Loop::Time::virtual_);
  Channel<int> channel(loop, 2);
  std::string trace;
  const auto produce = [&]() -> Task<void> {
    for (int i = 0; i < 4; ++i) {
      co_await channel.push(i);
      trace += 'p';
    }
    channel.close();
  };
  Scope scope(loop);
  scope.start(produce());
  EXPECT_EQ(trace, "pp");
  const auto consume = [&]() -> Task<int> {
    int sum = 0;
    while (const auto item = co_await channel.pop()) sum += *item;
    co_return sum;
  };
  EXPECT_EQ(loop.block_on(consume()), 6);
}

TEST(Worker, ResultsComeBackToTheLoopInOrder) {
  Loop loop;
  Worker worker(loop, "test");
  const auto loop_thread = std::this_thread::get_id();
  const auto both = [&]() -> Task<std::string> {
    const auto other = co_await worker.run([] { return std::this_thread::get_id(); });
    EXPECT_NE(other, loop_thread);
    EXPECT_EQ(std::this_thread::get_id(), loop_thread);
    co_return co_await worker.run([] { return std::string("done"); });
  };
  EXPECT_EQ(loop.block_on(both()), "done");
}

TEST(Worker, InVirtualTimeJobsRunInTurnsOfTheLoopAndBeforeTheEndOfTheWorker) {
  Loop loop(Loop::Time::virtual_);
  std::vector<int> done;
  {
    Worker worker(loop, "test");
    for (int i = 0; i < 2; ++i) worker.submit([&done, i] { done.push_back(i); });
    EXPECT_TRUE(done.empty());
    loop.run_ready();
    EXPECT_EQ(done, (std::vector<int>{0, 1}));
    worker.submit([&done] { done.push_back(2); });
    EXPECT_EQ(worker.queued(), 1U);
  }
  EXPECT_EQ(done, (std::vector<int>{0, 1, 2}));
  loop.run_ready();
  EXPECT_EQ(done.size(), 3U) << "once";
}

TEST(Worker, ADestroyedWaiterIsNotResumed) {
  Loop loop;
  Worker worker(loop, "test");
  bool resumed = false;
  {
    Scope scope(loop);
    const auto wait = [&]() -> Task<void> {
      co_await worker.run([] { return 1; });
      resumed = true;
    };
    scope.start(wait());
  }
  const auto barrier = [&]() -> Task<void> { co_await worker.run([] {}); };
  loop.block_on(barrier());
  EXPECT_FALSE(resumed);
}

}  // namespace
}  // namespace parlance
