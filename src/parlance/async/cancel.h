// SPDX-License-Identifier: Apache-2.0
// Cancels tasks from outside: a CancelSource has an owner, and tasks are awaited under it. Loop thread only; the source must
// outlive its tasks.
#pragma once

#include <coroutine>
#include <utility>

#include "parlance/async/loop.h"

namespace parlance {

class CancelSource {
 public:
  explicit CancelSource(Loop& loop) : loop_(loop) {}
  // Destroys every task awaited under the source, in this turn, and refuses later tasks.
  void cancel() {
    cancelled_ = true;
    while (Ready* waiting = waiting_.pop_front()) loop_.wake(*waiting);
  }
  bool cancelled() const { return cancelled_; }

 private:
  template <class T>
  friend class Under;
  Loop& loop_;
  bool cancelled_ = false;
  IntrusiveList<Ready> waiting_;
};

// co_await under(source, task): the task's result, or Errc::cancelled.
template <class T>
class Under final : private Ready {
 public:
  Under(CancelSource& source, Task<Result<T>> task) : source_(source), task_(std::move(task)) {
    if (source_.cancelled()) task_ = {};
  }
  bool await_ready() const { return !task_; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) {
    waiting_ = waiting;
    task_.handle().promise().continuation = waiting;
    source_.waiting_.push_back(*this);
    return task_.handle();
  }
  Result<T> await_resume() {
    unlink();
    if (!task_) return fail(Errc::cancelled, "cancelled");
    return task_.handle().promise().take();
  }

 private:
  void on_ready() override {
    if (task_.handle().done()) return;  // The task ended in the same turn: its result is valid.
    task_ = {};
    waiting_.resume();
  }
  CancelSource& source_;
  Task<Result<T>> task_;
  std::coroutine_handle<> waiting_;
};
template <class T>
Under<T> under(CancelSource& source, Task<Result<T>> task) {
  return {source, std::move(task)};
}

}  // namespace parlance
