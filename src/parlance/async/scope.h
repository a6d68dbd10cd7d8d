// SPDX-License-Identifier: Apache-2.0
// A scope owns running coroutines. Its destructor destroys and thereby cancels waiting coroutines. Make the scope the last
// member of the object with the fields of its coroutines, for the right order of destruction. Never destroy a scope from inside
// its own coroutines: use `post` for this. Loop thread only.
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
  // A handle for a running coroutine. The handle is empty after the end of the coroutine, for every kind of end, and therefore
  // never dangles. The destructor of a handle leaves the coroutine running.
  class Handle {
   public:
    Handle() = default;
    Handle(Handle&& other) noexcept { take(other); }
    Handle& operator=(Handle&& other) noexcept {
      if (this == &other) return *this;
      detach();
      take(other);
      return *this;
    }
    ~Handle() { detach(); }
    explicit operator bool() const { return child_ != nullptr; }
    void cancel();  // Cancels the coroutine if it still runs. Not from inside the coroutine.

   private:
    friend class Scope;
    friend class Child;
    explicit Handle(Child& child);
    void take(Handle& other);
    void detach();
    Child* child_ = nullptr;
  };

  explicit Scope(Loop& loop);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // Runs the coroutine at once, up to its first wait. The handle is empty if the coroutine has already ended.
  Handle start(Task<void> task);
  void cancel();  // Cancels all coroutines. Not from inside these.
  std::size_t running() const { return running_; }
  Task<void> join();  // Waits until no coroutine runs.
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
