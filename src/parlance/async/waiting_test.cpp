// SPDX-License-Identifier: Apache-2.0
// Ways to wait and to stop waiting: cancel sources, channels, one-shots, deadlines, timers, scopes; and what comes first of two things that
// happen in one turn.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/cancel.h"
#include "parlance/async/channel.h"
#include "parlance/async/loop.h"
#include "parlance/async/scope.h"
#include "parlance/async/worker.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;

class Waiting : public testing::Test {
 protected:
  Task<Result<int>> answer_when_told(int with) {
    ++begun;
    const struct Guard {
      int& gone;
      ~Guard() { ++gone; }
    } guard{ended};
    co_await go.wait();
    co_return with;
  }
  Task<void> store(Task<Result<int>> from, std::optional<Result<int>>& into) { into = co_await under(source, std::move(from)); }
  void settle() {
    while (loop.run_ready()) {}
  }

  Loop loop{Loop::Time::virtual_};
  Signal go{loop};
  CancelSource source{loop};
  int begun = 0;
  int ended = 0;
  std::string trace;
  Scope scope{loop};
};

using Cancelling = Waiting;
using Channels = Waiting;
using Timers = Waiting;
using Scopes = Waiting;

// ---- cancel sources --------------------------------------------------------------------------------------------------------------

TEST_F(Cancelling, TasksUnderASourceEndWithTheSource) {
  std::optional<Result<int>> a, b;
  scope.start(store(answer_when_told(1), a));
  scope.start(store(answer_when_told(2), b));
  source.cancel();
  EXPECT_FALSE(a) << "not from inside the call";
  settle();
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->error().code, Errc::cancelled);
  EXPECT_EQ(b->error().code, Errc::cancelled);
  EXPECT_EQ(ended, 2);
  EXPECT_FALSE(go.has_waiters());
}

TEST_F(Cancelling, AnEarlierResultStays) {
  std::optional<Result<int>> a;
  scope.start(store(answer_when_told(7), a));
  go.notify_all();
  settle();
  source.cancel();
  settle();
  EXPECT_EQ(a->value(), 7);
}

TEST_F(Cancelling, OfTwoResultsInATurnTheFirstCounts) {
  std::optional<Result<int>> told_first, cancelled_first;
  scope.start(store(answer_when_told(7), told_first));
  go.notify_all();
  source.cancel();
  settle();
  EXPECT_EQ(told_first->value(), 7);

  CancelSource other(loop);
  const Scope::Handle handle =
      scope.start([](CancelSource& s, Task<Result<int>> t, std::optional<Result<int>>& into) -> Task<void> {
        into = co_await under(s, std::move(t));
      }(other, answer_when_told(8), cancelled_first));
  other.cancel();
  go.notify_all();
  settle();
  EXPECT_EQ(cancelled_first->error().code, Errc::cancelled);
}

TEST_F(Cancelling, UnderACancelledSourceNoTaskStarts) {
  source.cancel();
  EXPECT_TRUE(source.cancelled());
  std::optional<Result<int>> a;
  scope.start(store(answer_when_told(1), a));
  ASSERT_TRUE(a);
  EXPECT_EQ(a->error().code, Errc::cancelled);
  EXPECT_EQ(begun, 0);
}

TEST_F(Cancelling, ADestroyedTaskIsNotAwaited) {
  std::optional<Result<int>> a;
  Scope::Handle handle = scope.start(store(answer_when_told(1), a));
  handle.cancel();
  EXPECT_EQ(ended, 1);
  source.cancel();
  settle();
  EXPECT_FALSE(a);
}

// ---- channels --------------------------------------------------------------------------------------------------------------------

TEST_F(Channels, AClosedChannelDrainsAndAcceptsNoValue) {
  Channel<int> channel(loop, 3);
  EXPECT_TRUE(channel.try_push(1));
  EXPECT_TRUE(channel.try_push(2));
  channel.close();
  EXPECT_TRUE(channel.closed());
  EXPECT_FALSE(channel.try_push(3));
  EXPECT_FALSE(loop.block_on(channel.push(4)));
  EXPECT_EQ(loop.block_on(channel.pop()), 1);
  EXPECT_EQ(channel.try_pop(), 2);
  EXPECT_EQ(loop.block_on(channel.pop()), std::nullopt);
  EXPECT_EQ(channel.try_pop(), std::nullopt);
}

TEST_F(Channels, ClosingReleasesPushersAndPoppers) {
  Channel<int> full(loop, 1);
  Channel<int> empty(loop, 1);
  ASSERT_TRUE(full.try_push(1));
  std::optional<bool> pushed;
  std::optional<std::optional<int>> popped;
  const auto push = [&]() -> Task<void> { pushed = co_await full.push(2); };
  const auto pop = [&]() -> Task<void> { popped = co_await empty.pop(); };
  scope.start(push());
  scope.start(pop());
  settle();
  EXPECT_FALSE(pushed || popped);
  full.close();
  empty.close();
  settle();
  EXPECT_EQ(pushed, false);
  ASSERT_TRUE(popped);
  EXPECT_EQ(*popped, std::nullopt);
  EXPECT_EQ(full.size(), 1U) << "what was in it stays, and what waited is dropped";
}

TEST_F(Channels, EachItemReachesASingleConsumer) {
  Channel<int> channel(loop, 8);
  const auto consume = [&](char name) -> Task<void> {
    if (const auto item = co_await channel.pop()) trace += name + std::to_string(*item) + " ";
  };
  scope.start(consume('a'));
  scope.start(consume('b'));
  channel.try_push(1);
  channel.try_push(2);
  settle();
  EXPECT_EQ(trace, "a1 b2 ");
}

TEST_F(Channels, AnUncopyableItemPasses) {
  Channel<std::unique_ptr<int>> channel(loop, 1);
  EXPECT_TRUE(loop.block_on(channel.push(std::make_unique<int>(5))));
  EXPECT_EQ(**loop.block_on(channel.pop()), 5);
}

TEST_F(Channels, AOneShotAcceptsASingleValue) {
  OneShot<std::string> shot(loop);
  std::optional<std::string> got;
  const auto get = [&]() -> Task<void> { got = co_await shot.get(); };
  scope.start(get());
  EXPECT_FALSE(shot.is_set());
  EXPECT_TRUE(shot.set("first"));
  EXPECT_FALSE(shot.set("second"));
  settle();
  EXPECT_EQ(got, "first");
}

TEST_F(Channels, ASignalWakesInOrder) {
  const auto wait = [&](char name) -> Task<void> {
    co_await go.wait();
    trace += name;
  };
  for (const char name : {'a', 'b', 'c', 'd'}) scope.start(wait(name));
  go.notify_one();
  settle();
  EXPECT_EQ(trace, "a");
  go.notify_all();
  EXPECT_EQ(trace, "a") << "later in the turn";
  settle();
  EXPECT_EQ(trace, "abcd");
  EXPECT_FALSE(go.has_waiters());
  go.notify_one();  // nobody
}

TEST_F(Channels, ARepeatedWaitDuringABroadcastWaitsForTheNext) {
  const auto wait = [&]() -> Task<void> {
    for (;;) {
      co_await go.wait();
      trace += '.';
    }
  };
  scope.start(wait());
  go.notify_all();
  settle();
  EXPECT_EQ(trace, ".");
}

// ---- time --------------------------------------------------------------------------------------------------------------------------

struct Alarm final : Timer {
  std::function<void()> ring;
  explicit Alarm(std::function<void()> f) : ring(std::move(f)) {}
  void on_timer() override { ring(); }
};

TEST_F(Timers, ARestartedTimerMovesAndNeverStops) {
  Alarm alarm([this] { trace += 'x'; });
  alarm.start(loop, loop.now() + 1s);
  alarm.start(loop, loop.now() + 3s);
  loop.advance(2s);
  EXPECT_EQ(trace, "");
  alarm.start(loop, loop.now() + 500ms);
  loop.advance(500ms);
  EXPECT_EQ(trace, "x");
  EXPECT_FALSE(alarm.running());
  alarm.start(loop, loop.now() + 1s);
  alarm.start(loop, never);
  EXPECT_FALSE(alarm.running());
  loop.advance(1h);
  EXPECT_EQ(trace, "x");
}

TEST_F(Timers, ATimerMayStopAnotherTimerOfTheSameTime) {
  std::optional<Alarm> second;
  Alarm first([&] { trace += '1', second.reset(); });
  second.emplace([this] { trace += '2'; });
  first.start(loop, loop.now() + 1s);
  second->start(loop, loop.now() + 1s);
  loop.advance(2s);
  EXPECT_EQ(trace, "1");
}

TEST_F(Timers, ASelfStartingTimerFiresAtEachTime) {
  Alarm* self = nullptr;
  std::vector<Duration> rang;
  const TimePoint begin = loop.now();
  Alarm alarm([&] {
    rang.push_back(loop.now() - begin);
    self->start(loop, loop.now() + 10ms);
  });
  self = &alarm;
  alarm.start(loop, begin + 10ms);
  loop.advance(35ms);
  EXPECT_EQ(rang, (std::vector<Duration>{10ms, 20ms, 30ms})) << "as of when it fell due, not of when it was looked at";
}

TEST_F(Timers, ManyFallDueInTheOrderOfTheirTimesWhicheverAreTakenOut) {
  std::vector<int> rang;
  std::vector<std::unique_ptr<Alarm>> alarms;
  for (int i = 0; i < 200; ++i) {
    const int when = i * 37 % 200;
    alarms.push_back(std::make_unique<Alarm>([&rang, when] { rang.push_back(when); }));
    alarms.back()->start(loop, loop.now() + std::chrono::milliseconds(when));
  }
  for (int i = 0; i < 200; i += 3) alarms[static_cast<std::size_t>(i)].reset();
  loop.advance(1s);
  EXPECT_EQ(rang.size(), 133U);
  EXPECT_TRUE(std::ranges::is_sorted(rang));
}

TEST_F(Timers, ADeadlineOfNowAcceptsAReadyResult) {
  const auto at_once = []() -> Task<Result<int>> { co_return 3; };
  const auto race = [&](Task<Result<int>> task, TimePoint by) -> Task<Result<int>> {
    co_return co_await with_deadline(loop, by, std::move(task));
  };
  EXPECT_EQ(loop.block_on(race(at_once(), loop.now())).value(), 3);
  EXPECT_EQ(loop.block_on(race(answer_when_told(1), loop.now())).error().code, Errc::deadline_exceeded);
  EXPECT_EQ(ended, 1) << "and its awaited object is destroyed";
}

TEST_F(Timers, ATaskWithoutWakeUpIsABugAndNotAHang) {
  EXPECT_DEATH(static_cast<void>(loop.block_on(answer_when_told(1))), "the task waits endlessly");
}

TEST_F(Timers, TurnEndHooksRunAfterReadyCoroutines) {
  struct Hook final : TurnEnd {
    std::function<void()> run;
    void on_turn_end() override { run(); }
  } hook;
  const auto wait = [&]() -> Task<void> {
    co_await go.wait();
    trace += 'r';
    co_await go.wait();
    trace += 's';
  };
  scope.start(wait());
  hook.run = [&] {
    trace += 'e';
    if (go.has_waiters()) go.notify_all();  // what a hook wakes runs in the same turn
  };
  loop.at_turn_end(hook);
  loop.at_turn_end(hook);  // once
  go.notify_all();
  settle();
  EXPECT_EQ(trace, "res");
}

// ---- scopes ------------------------------------------------------------------------------------------------------------------------

// Its end starts another, as long as `left` says so.
Task<void> wait_and_start_another(Scope& scope, Signal& go, int& left) {
  const struct Guard {
    Scope& scope;
    Signal& go;
    int& left;
    ~Guard() {
      if (left > 0 && --left > 0) scope.start(wait_and_start_another(scope, go, left));
    }
  } guard{scope, go, left};
  co_await go.wait();
}

TEST_F(Scopes, WorkStartedByACancelledTaskIsCancelled) {
  int left = 3;
  scope.start(wait_and_start_another(scope, go, left));
  scope.cancel();
  EXPECT_EQ(scope.running(), 0U);
  EXPECT_EQ(left, 0);
}

TEST_F(Scopes, AJoiningTaskIsWokenByACancel) {
  bool joined = false;
  Scope other(loop);
  const auto join = [&]() -> Task<void> {
    co_await scope.join();
    joined = true;
  };
  scope.start([](Signal& go) -> Task<void> { co_await go.wait(); }(go));
  other.start(join());
  settle();
  EXPECT_FALSE(joined);
  scope.cancel();
  settle();
  EXPECT_TRUE(joined);
}

TEST_F(Scopes, JoiningAnEmptyScopeReturns) {
  loop.block_on(scope.join());
  EXPECT_EQ(scope.running(), 0U);
}

// ---- workers -----------------------------------------------------------------------------------------------------------------------

TEST(Workers, SubmittedJobsFinishInOrderBeforeTheWorkerEnds) {
  Loop loop;
  std::string order;  // of the worker's thread until it has been joined
  {
    Worker worker(loop, "a name of more than fifteen characters");
    for (const char c : {'a', 'b', 'c'}) worker.submit([&order, c] { order += c; });
  }
  EXPECT_EQ(order, "abc");
}

TEST(Workers, UncopyableAndVoidResultsReturn) {
  Loop loop;
  Worker worker(loop, "test");
  const auto both = [&]() -> Task<int> {
    int seen = 0;
    co_await worker.run([&seen] { seen = 1; });
    const std::unique_ptr<int> made = co_await worker.run([] { return std::make_unique<int>(41); });
    co_return seen + *made;
  };
  EXPECT_EQ(loop.block_on(both()), 42);
  EXPECT_EQ(worker.queued(), 0U);
}

}  // namespace
}  // namespace parlance
