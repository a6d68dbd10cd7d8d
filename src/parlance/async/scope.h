// SPDX-License-Identifier: Apache-2.0
// A scope owns running coroutines. Its end destroys those that still wait, which cancels them.
// It is a member of the object whose fields they use, declared last, so that it goes first. It must not be destroyed from inside
// one of its own coroutines: hand such an end to the loop (`post`). Loop thread only.
#pragma once

#include <coroutine>
#include <cstddef>

#include "parlance/async/intrusive_list.h"
#include "parlance/async/loop.h"
#include "parlance/async/task.h"

namespace parlance {

class Scope {
 public:
  class Child;
  // Names one running coroutine for as long as that runs: it is empty once the coroutine has ended, whoever ended it and whenever,
  // so it can never reach what is gone. Letting go of a handle lets the coroutine run on.
  class Handle {
   public:
    Handle() = default;
    Handle(Handle&& other) noexcept { take(other); }
    Handle& operator=(Handle&& other) noexcept {
      if (this == &other) return *this;
      let_go();
      take(other);
      return *this;
    }
    ~Handle() { let_go(); }
    explicit operator bool() const { return child_ != nullptr; }
    void cancel();  // Ends it, if it still runs. Not from inside it.

   private:
    friend class Scope;
    friend class Child;
    explicit Handle(Child& child);
    void take(Handle& other);
    void let_go();
    Child* child_ = nullptr;
  };

  explicit Scope(Loop& loop);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // Runs it at once up to where it first waits. The handle is empty when it has already ended.
  Handle start(Task<void> task);
  void cancel();  // All. Not from inside one of them.
  std::size_t running() const { return running_; }
  Task<void> join();  // Waits until none runs.
  Loop& loop() const { return loop_; }

 private:
  struct Root;
  static Root drive(Scope& scope, Task<void> task);
  static void end(Child& child);

  Loop& loop_;
  IntrusiveList<Child> children_;
  std::size_t running_ = 0;
  IntrusiveList<Ready> joiners_;
  struct JoinAwaiter;
};

}  // namespace parlance
