// SPDX-License-Identifier: Apache-2.0
#include "parlance/async/scope.h"

#include <exception>
#include <utility>

namespace parlance {

class Scope::Child : public ListHook {
 public:
  explicit Child(Scope& owner) : scope(owner) {}
  Scope& scope;
  Handle* handle = nullptr;  // of the owner, if any
};

struct Scope::Root {
  struct promise_type final : Child {
    promise_type(Scope& owner, Task<void>&) : Child(owner) {
      scope.children_.push_back(*this);
      ++scope.running_;
    }
    ~promise_type() {
      unlink();
      if (handle != nullptr) handle->child_ = nullptr;
      if (--scope.running_ == 0)
        while (Ready* joiner = scope.joiners_.pop_front()) scope.loop_.wake(*joiner);
    }
    Root get_return_object() noexcept { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    // Expected failures are Results. An exception is a bug, and continuing would hide the bug.
    void unhandled_exception() const noexcept { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};

Scope::Scope(Loop& loop) : loop_(loop) {}
Scope::~Scope() { cancel(); }

Scope::Root Scope::drive(Scope&, Task<void> task) { co_await std::move(task); }

Scope::Handle Scope::start(Task<void> task) {
  const Root root = drive(*this, std::move(task));
  Handle handle(root.handle.promise());
  root.handle.resume();
  return handle;
}

void Scope::end(Child& child) {
  auto& promise = static_cast<Root::promise_type&>(child);
  std::coroutine_handle<Root::promise_type>::from_promise(promise).destroy();
}

void Scope::cancel() {
  while (!children_.empty()) end(children_.front());
}

Scope::Handle::Handle(Child& child) : child_(&child) { child.handle = this; }

void Scope::Handle::take(Handle& other) {
  child_ = std::exchange(other.child_, nullptr);
  if (child_ != nullptr) child_->handle = this;
}

void Scope::Handle::detach() {
  if (child_ != nullptr) std::exchange(child_, nullptr)->handle = nullptr;
}

void Scope::Handle::cancel() {
  if (child_ != nullptr) end(*child_);
}

struct Scope::JoinAwaiter {
  Scope& scope;
  ReadyCoroutine ready{};
  bool await_ready() const { return scope.running_ == 0; }
  void await_suspend(std::coroutine_handle<> waiting) {
    ready.handle = waiting;
    scope.joiners_.push_back(ready);
  }
  void await_resume() const {}
};

Task<void> Scope::join() {
  while (running_ != 0) co_await JoinAwaiter{*this};
}

}  // namespace parlance
