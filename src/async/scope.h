// A scope owns running coroutines. Its end destroys those that still wait, which cancels them.
// It is a member of the object whose fields they use, declared last, so that it goes first. It must not be destroyed from inside
// one of its own coroutines: hand such an end to the loop (`post`). Loop thread only.
#pragma once

#include <coroutine>
#include <cstddef>

#include "async/intrusive_list.h"
#include "async/loop.h"
#include "async/task.h"

namespace parlance {

class Scope {
 public:
  // One running coroutine; the pointer is good until it ends.
  class Child;

  explicit Scope(Loop& loop);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // Runs it at once up to where it first waits. Null when it has already ended.
  Child* start(Task<void> task);
  void cancel();              // All. Not from inside one of them.
  void cancel(Child* child);  // One. Not from inside it.
  std::size_t running() const { return running_; }
  Task<void> join();  // Waits until none runs.
  Loop& loop() const { return loop_; }

 private:
  struct Root;
  static Root drive(Scope& scope, Task<void> task);

  Loop& loop_;
  IntrusiveList<Child> children_;
  std::size_t running_ = 0;
  IntrusiveList<Ready> joiners_;
  struct JoinAwaiter;
};

}  // namespace parlance
