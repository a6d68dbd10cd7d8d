// SPDX-License-Identifier: Apache-2.0
// Order between two turns of a loop, without a timer. A coroutine that has set a value may want all readers of the value to run,
// and their outputs to leave, before its own next step. Loop thread only.
#pragma once

#include <coroutine>
#include <memory>

#include "parlance/async/loop.h"

namespace parlance {

// co_await next_turn(loop): resumes after all ready coroutines and all turn-end hooks of the present turn. A destroyed coroutine
// is not resumed.
class NextTurn final {
 public:
  explicit NextTurn(Loop& loop) : loop_(loop) {}
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> waiting) {
    waiting_ = std::make_shared<std::coroutine_handle<>>(waiting);
    loop_.post([left = std::weak_ptr(waiting_)] {
      if (const auto still = left.lock()) still->resume();
    });
  }
  void await_resume() const {}

 private:
  Loop& loop_;
  std::shared_ptr<std::coroutine_handle<>> waiting_;
};
inline NextTurn next_turn(Loop& loop) { return NextTurn(loop); }

}  // namespace parlance
