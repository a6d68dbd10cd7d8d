// SPDX-License-Identifier: Apache-2.0
// A thread for blocking work (SQLite, file trees, embedding). Jobs run in order, and their results return to the loop. Use one
// worker for each database; this is not a thread pool. A job must not throw: an exception ends the program. Loop thread only, except
// for `submit` and `queued`. In virtual time, jobs run on the loop thread, in turns of their own: a thread would take real time, and
// a test would not repeat exactly.
#pragma once

#include <condition_variable>
#include <coroutine>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

#include "parlance/async/loop.h"

namespace parlance {

class Worker {
 public:
  Worker(Loop& loop, std::string name);  // `name`: name of the thread, at most 15 characters.
  ~Worker();                             // Runs the queued jobs, then joins the thread. Destroy the worker before the loop.
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // co_await worker.run([&] { return blocking_thing(); }). If the waiting coroutine is destroyed, the job still runs to its end.
  // A job must therefore not use locals of the coroutine: capture by value, or use objects that outlive the worker.
  template <class F>
  auto run(F work);

  void submit(std::move_only_function<void()> work);  // Any thread. Returns no result.
  std::size_t queued() const;                         // Any thread. Jobs that have not begun.

 private:
  void work_loop();
  bool run_next();  // false: no job waits

  Loop& loop_;
  const bool has_thread_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::move_only_function<void()>> queue_;  // Guarded by mutex_.
  bool ending_ = false;                                // Guarded by mutex_.
  std::thread thread_;
  std::shared_ptr<Worker*> here_ = std::make_shared<Worker*>(this);  // null in the destructor; for turns in virtual time
};

template <class F>
auto Worker::run(F work) {
  using T = std::invoke_result_t<F&>;
  using Stored = std::conditional_t<std::is_void_v<T>, char, T>;
  struct State {
    std::optional<Stored> value;
    std::coroutine_handle<> waiting;  // Loop thread only. Null: no coroutine waits.
  };
  struct Awaiter {
    Worker& worker;
    F work;
    std::shared_ptr<State> state = std::make_shared<State>();

    Awaiter(Worker& w, F f) : worker(w), work(std::move(f)) {}
    Awaiter(const Awaiter&) = delete;
    Awaiter& operator=(const Awaiter&) = delete;
    ~Awaiter() { state->waiting = {}; }

    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> waiting) {
      state->waiting = waiting;
      worker.submit([state = state, work = std::move(work), &loop = worker.loop_]() mutable {
        if constexpr (std::is_void_v<T>) {
          work();
          state->value.emplace();
        } else {
          state->value.emplace(work());
        }
        loop.post([state = std::move(state)] {
          if (const auto next = std::exchange(state->waiting, {})) next.resume();
        });
      });
    }
    T await_resume() {
      if constexpr (!std::is_void_v<T>) return *std::move(state->value);
    }
  };
  return Awaiter(*this, std::move(work));
}

}  // namespace parlance
