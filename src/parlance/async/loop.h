// SPDX-License-Identifier: Apache-2.0
// The event loop: the single thread of peers, protocols and services, so that no lock is necessary. Built on Boost.Asio, which
// only the .cpp files of async and transport include (loop_asio.h).
//
// A turn is an event from outside (bytes, a timer, a post) with all its effects: first all ready coroutines run, then the
// turn-end hooks. These flush outputs once for each turn. All calls on the loop thread, except `post` and `stop`.
#pragma once

#include <coroutine>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "parlance/async/busy_poll.h"
#include "parlance/async/intrusive_list.h"
#include "parlance/async/task.h"
#include "parlance/base/clock.h"
#include "parlance/base/result.h"

namespace parlance {

// A callback that `Loop::wake` runs later in this turn. Its destructor removes the callback from the queue.
class Ready : public ListHook {
 public:
  virtual void on_ready() = 0;

 protected:
  ~Ready() = default;
};

// A callback at the end of the turn. Its destructor removes the callback from the queue.
class TurnEnd : public ListHook {
 public:
  virtual void on_turn_end() = 0;

 protected:
  ~TurnEnd() = default;
};

// Observes each step of a turn. For tests of endless turns.
class StepWatch {
 public:
  virtual void on_step() = 0;

 protected:
  ~StepWatch() = default;
};

class Loop;

// A deadline in the loop's queue. Its destructor cancels the timer. `on_timer` runs once, after the timer has stopped.
class Timer {
 public:
  Timer() = default;
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  void start(Loop& loop, TimePoint when);  // A second call moves the deadline; `never` stops the timer.
  void stop();
  bool running() const { return loop_ != nullptr; }

  virtual void on_timer() = 0;

 protected:
  ~Timer() { stop(); }

 private:
  friend class Loop;
  Loop* loop_ = nullptr;
  TimePoint when_{};
  std::size_t index_ = 0;  // Position in the loop's heap.
};

class Loop {
 public:
  // `virtual_`: the time changes only in `advance`, so tests never wait.
  enum class Time { real, virtual_ };
  explicit Loop(Time time = Time::real);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  bool is_virtual() const { return time_ == Time::virtual_; }
  TimePoint now() const { return now_; }  // Time at the beginning of the turn.
  void wake(Ready& ready) {
    if (!ready.linked()) ready_.push_back(ready);
  }
  void at_turn_end(TurnEnd& hook) {
    if (!hook.linked()) turn_ends_.push_back(hook);
  }
  void post(std::move_only_function<void()> work);  // Any thread. Runs the function on the loop thread in a turn of its own.

  void run();                   // Runs until stop().
  void stop();                  // Any thread.
  bool run_ready();             // Runs all work without waits. True: something ran.
  void run_for(Duration time);  // Real time only: runs turns for this time (tests).
  // Real time only: runs turns until the condition holds after a turn (tests). False: the limit has passed.
  bool run_until(const std::function<bool()>& holds, Duration limit = std::chrono::seconds(100));
  void advance(Duration time);  // Virtual time only: fires due timers in order.

  // Runs turns until the task ends. For main programs and tests.
  template <class T>
  T block_on(Task<T> task);

  // Callbacks of Asio open a turn. The outermost callback drains the ready queue at its end.
  class Turn {
   public:
    explicit Turn(Loop& loop);
    Turn(Loop& loop, TimePoint now);  // For callers with a fresh clock value.
    ~Turn();

   private:
    Loop& loop_;
  };

  BusyPoll& busy_poll();  // For streams whose peer may answer at once. Without such a stream, the loop only waits.
  void watch_steps(StepWatch* watch) { step_watch_ = watch; }  // For tests; null removes the observer.

  struct Implementation;
  Implementation& implementation() { return *implementation_; }

 private:
  friend class Timer;
  class Waiting;
  void wait_for_something();
  void drain();
  void fire_due_timers();
  void add_timer(Timer& timer);
  void remove_timer(Timer& timer);
  void sift(std::size_t index);
  void arm();
  void refresh_now();
  void run_until_set(const bool& done);

  std::unique_ptr<Implementation> implementation_;
  IntrusiveList<Ready> ready_;
  IntrusiveList<TurnEnd> turn_ends_;
  std::vector<Timer*> timers_;  // A binary heap with the earliest deadline first.
  TimePoint armed_ = never;
  TimePoint now_;
  Time time_;
  int turns_ = 0;
  bool running_ = false;  // True: the loop may wait.
  std::unique_ptr<BusyPoll> busy_poll_;
  StepWatch* step_watch_ = nullptr;
};

// Resumes a coroutine through the ready queue.
class ReadyCoroutine final : public Ready {
 public:
  std::coroutine_handle<> handle;
  void on_ready() override { handle.resume(); }
};

// co_await sleep_until(loop, when)
class Sleep final : private Timer {
 public:
  Sleep(Loop& loop, TimePoint when) : loop_(loop), when_(when) {}
  bool await_ready() const { return when_ <= loop_.now(); }
  void await_suspend(std::coroutine_handle<> waiting) {
    waiting_ = waiting;
    start(loop_, when_);
  }
  void await_resume() const {}

 private:
  void on_timer() override { waiting_.resume(); }
  Loop& loop_;
  TimePoint when_;
  std::coroutine_handle<> waiting_;
};
inline Sleep sleep_until(Loop& loop, TimePoint when) { return {loop, when}; }
inline Sleep sleep_for(Loop& loop, Duration time) { return {loop, loop.now() + time}; }

// Result of the task, or deadline_exceeded after `deadline`. The task is then destroyed and thereby cancelled.
template <class T>
class WithDeadline final : private Timer {
 public:
  WithDeadline(Loop& loop, TimePoint deadline, Task<Result<T>> task) : loop_(loop), deadline_(deadline), task_(std::move(task)) {}
  bool await_ready() const { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) {
    waiting_ = waiting;
    task_.handle().promise().continuation = waiting;
    if (deadline_ != never) start(loop_, deadline_);
    return task_.handle();
  }
  Result<T> await_resume() {
    stop();
    if (!task_) return fail(Errc::deadline_exceeded, "the deadline passed");
    return task_.handle().promise().take();
  }

 private:
  void on_timer() override {
    task_ = {};
    waiting_.resume();
  }
  Loop& loop_;
  TimePoint deadline_;
  Task<Result<T>> task_;
  std::coroutine_handle<> waiting_;
};
template <class T>
WithDeadline<T> with_deadline(Loop& loop, TimePoint deadline, Task<Result<T>> task) {
  return {loop, deadline, std::move(task)};
}

template <class T>
T Loop::block_on(Task<T> task) {
  bool done = false;
  std::exception_ptr exception;
  const auto finish = [](Task<T>& inner, auto& into, bool& flag, std::exception_ptr& thrown) -> Task<void> {
    try {
      if constexpr (std::is_void_v<T>) co_await std::move(inner);
      else into.emplace(co_await std::move(inner));
    } catch (...) {
      thrown = std::current_exception();
    }
    flag = true;
  };
  std::conditional_t<std::is_void_v<T>, char, std::optional<std::conditional_t<std::is_void_v<T>, char, T>>> value{};
  Task<void> driver = finish(task, value, done, exception);
  {
    Turn turn(*this);
    driver.handle().resume();
  }
  run_until_set(done);
  if (exception) std::rethrow_exception(exception);
  if constexpr (!std::is_void_v<T>) return *std::move(value);
}

}  // namespace parlance
