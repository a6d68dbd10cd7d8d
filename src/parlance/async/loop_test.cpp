// SPDX-License-Identifier: Apache-2.0
#include "parlance/async/loop.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "parlance/async/next_turn.h"
#include "parlance/async/scope.h"
#include "parlance/async/worker.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;

struct Clockwork final : Timer {
  std::function<void()> fired = [] {};
  void on_timer() override { fired(); }
};
struct Step final : Ready {
  std::function<void()> run = [] {};
  void on_ready() override { run(); }
};
struct Hook final : TurnEnd {
  std::function<void()> run = [] {};
  void on_turn_end() override { run(); }
};

class LoopTest : public testing::Test {
 protected:
  Loop loop{Loop::Time::virtual_};
  std::string trace;
};

// ---- running

TEST(LoopRun, AStopBeforeTheRunCounts) {
  Loop loop;
  loop.stop();
  bool in_time = true;
  Clockwork late;
  late.fired = [&] {
    in_time = false;
    loop.stop();
  };
  late.start(loop, loop.now() + 2s);
  loop.run();
  EXPECT_TRUE(in_time);
  late.start(loop, loop.now() + 1ms);
  loop.run();
  EXPECT_FALSE(in_time) << "one stop ends one run";
}

TEST(LoopRun, AStopWaitsForTheRunWhileATaskIsAwaited) {
  Loop loop;
  loop.post([&] { loop.stop(); });
  loop.block_on([](Loop& on) -> Task<void> { co_await sleep_for(on, 5ms); }(loop));
  loop.run();  // ends, or the test does not
}

// ---- timers

Task<void> add_next_turn(Loop& loop, std::string& trace) {
  co_await next_turn(loop);
  trace += "next";
}

TEST_F(LoopTest, NextTurnComesAfterReadyWorkAndTurnEndHooks) {
  Step step;
  Hook hook;
  step.run = [&] { trace += "ready "; };
  hook.run = [&] { trace += "hook "; };
  Scope scope(loop);
  scope.start(add_next_turn(loop, trace));
  loop.at_turn_end(hook);
  loop.wake(step);
  loop.run_ready();
  EXPECT_EQ(trace, "ready hook next");
}

TEST_F(LoopTest, ADestroyedCoroutineHasNoNextTurn) {
  { Scope(loop).start(add_next_turn(loop, trace)); }
  loop.run_ready();
  EXPECT_EQ(trace, "");
}

TEST_F(LoopTest, ManyTimersFireInTheOrderOfTheirTimes) {
  std::vector<Clockwork> timers(500);
  std::vector<int> times(timers.size());
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = static_cast<int>(i);
  std::shuffle(times.begin(), times.end(), std::mt19937(3));
  std::vector<int> fired;
  for (std::size_t i = 0; i < timers.size(); ++i) {
    timers[i].fired = [&fired, time = times[i]] { fired.push_back(time); };
    timers[i].start(loop, loop.now() + times[i] * 1ms);
  }
  for (std::size_t i = 0; i < timers.size(); i += 7) timers[i].stop();
  loop.advance(1s);
  EXPECT_TRUE(std::ranges::is_sorted(fired));
  EXPECT_EQ(fired.size(), timers.size() - (timers.size() + 6) / 7);
}

TEST_F(LoopTest, ARestartedTimerMoves) {
  Clockwork timer;
  timer.fired = [&] { trace += "x"; };
  timer.start(loop, loop.now() + 1s);
  timer.start(loop, loop.now() + 3s);
  loop.advance(2s);
  EXPECT_EQ(trace, "");
  timer.start(loop, loop.now() + 500ms);
  loop.advance(500ms);
  EXPECT_EQ(trace, "x");
  EXPECT_FALSE(timer.running());
  timer.start(loop, never);
  EXPECT_FALSE(timer.running()) << "never stops it";
}

TEST_F(LoopTest, AFiredTimerIsStoppedAndMayRestart) {
  Clockwork timer;
  timer.fired = [&] {
    EXPECT_FALSE(timer.running());
    trace += "x";
    if (trace.size() < 3) timer.start(loop, loop.now() + 1s);
  };
  timer.start(loop, loop.now() + 1s);
  loop.advance(10s);
  EXPECT_EQ(trace, "xxx");
}

TEST_F(LoopTest, ATimerMayStopAnotherDueTimer) {
  auto second = std::make_unique<Clockwork>();
  second->fired = [] { FAIL() << "it is gone"; };
  Clockwork first;
  first.fired = [&] { second.reset(); };
  first.start(loop, loop.now() + 1s);
  second->start(loop, loop.now() + 1s + 1ns);
  loop.advance(1min);
}

TEST_F(LoopTest, APastTimeIsDueAtOnce) {
  Clockwork timer;
  timer.fired = [&] { trace += "x"; };
  timer.start(loop, loop.now() - 1h);
  EXPECT_EQ(trace, "") << "but not from inside";
  loop.advance(0s);
  EXPECT_EQ(trace, "x");
}

TEST_F(LoopTest, WhileTimePassesEachTimerSeesItsOwnTime) {
  const TimePoint begun = loop.now();
  std::vector<Duration> seen;
  Clockwork timers[3];
  for (int i = 0; i < 3; ++i) {
    timers[i].fired = [&] { seen.push_back(loop.now() - begun); };
    timers[i].start(loop, begun + (3 - i) * 1s);
  }
  loop.advance(10s);
  EXPECT_EQ(seen, (std::vector<Duration>{1s, 2s, 3s}));
  EXPECT_EQ(loop.now() - begun, 10s);
}

// ---- turns

TEST_F(LoopTest, WokenCallbacksRunOnceInOrder) {
  Step a;
  Step b;
  a.run = [&] { trace += "a"; };
  b.run = [&] { trace += "b"; };
  loop.wake(b);
  loop.wake(a);
  loop.wake(b);
  loop.run_ready();
  EXPECT_EQ(trace, "ba");
  EXPECT_FALSE(loop.run_ready());
}

TEST_F(LoopTest, ASelfWakingCallbackRunsAgainInTheSameTurn) {
  Step step;
  Hook hook;
  hook.run = [&] { trace += "|"; };
  step.run = [&] {
    trace += "x";
    if (trace.size() < 3) loop.wake(step);
  };
  loop.wake(step);
  loop.at_turn_end(hook);
  loop.run_ready();
  EXPECT_EQ(trace, "xxx|");
}

TEST_F(LoopTest, AHookMayWakeCallbacksOfTheTurn) {
  Step step;
  step.run = [&] { trace += "s"; };
  Hook first;
  Hook second;
  first.run = [&] {
    trace += "1";
    loop.wake(step);
  };
  second.run = [&] { trace += "2"; };
  loop.at_turn_end(first);
  loop.at_turn_end(second);
  loop.at_turn_end(first);
  loop.run_ready();
  loop.run_ready();
  EXPECT_EQ(std::ranges::count(trace, '1'), 1) << trace;
  EXPECT_EQ(std::ranges::count(trace, '2'), 1) << trace;
  EXPECT_EQ(std::ranges::count(trace, 's'), 1) << trace;
}

TEST_F(LoopTest, DestroyedCallbacksDoNotRun) {
  {
    Step step;
    step.run = [] { FAIL() << "it is gone"; };
    Hook hook;
    hook.run = [] { FAIL() << "it is gone"; };
    loop.wake(step);
    loop.at_turn_end(hook);
  }
  loop.run_ready();
}

TEST_F(LoopTest, PostsRunInTheirOrderAndNeverFromInside) {
  for (int i = 0; i < 5; ++i) loop.post([this, i] { trace += std::to_string(i); });
  EXPECT_EQ(trace, "");
  while (loop.run_ready()) {}
  EXPECT_EQ(trace, "01234");
}

TEST_F(LoopTest, APostIsATurnOfItsOwn) {
  Hook hook;
  hook.run = [&] { trace += "|"; };
  for (int i = 0; i < 2; ++i)
    loop.post([&] {
      trace += "p";
      loop.at_turn_end(hook);
    });
  while (loop.run_ready()) {}
  EXPECT_EQ(trace, "p|p|");
}

TEST_F(LoopTest, AWatchSeesEveryStep) {
  struct Watch final : StepWatch {
    void on_step() override { ++steps; }
    int steps = 0;
  } watch;
  loop.watch_steps(&watch);
  Step steps[4];
  for (Step& step : steps) loop.wake(step);
  loop.run_ready();
  EXPECT_GE(watch.steps, 4);
  loop.watch_steps(nullptr);
  const int before = watch.steps;
  loop.wake(steps[0]);
  loop.run_ready();
  EXPECT_EQ(watch.steps, before);
}

// ---- other threads

TEST(RealLoop, PostsOfManyThreadsAllArrive) {
  Loop loop;
  constexpr int threads = 4;
  constexpr int each = 500;
  int arrived = 0;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&] {
      for (int i = 0; i < each; ++i)
        loop.post([&] {
          if (++arrived == threads * each) loop.stop();
        });
    });
  loop.run();
  for (std::thread& thread : all) thread.join();
  EXPECT_EQ(arrived, threads * each);
}

TEST(RealLoop, ADestroyedWorkerFinishesItsQueue) {
  Loop loop;
  std::atomic<int> done = 0;
  {
    Worker worker(loop, "a name that is longer than a thread's");
    for (int i = 0; i < 100; ++i) worker.submit([&] { ++done; });
  }
  EXPECT_EQ(done, 100);
}

TEST(Loop, RunsUntilAConditionHoldsOrTheLimitHasPassed) {
  Loop loop;
  bool posted = false;
  std::jthread other([&] { loop.post([&] { posted = true; }); });
  EXPECT_TRUE(loop.run_until([&] { return posted; }));
  EXPECT_FALSE(loop.run_until([] { return false; }, std::chrono::milliseconds(5)));
  int looks = 0;
  EXPECT_TRUE(loop.run_until([&] { return ++looks == 1; })) << "one look is enough";
}

}  // namespace
}  // namespace parlance
