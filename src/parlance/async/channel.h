// SPDX-License-Identifier: Apache-2.0
// Synchronization between coroutines of one loop. Loop thread only; a channel must outlive its waiting coroutines.
#pragma once

#include <coroutine>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "parlance/async/loop.h"

namespace parlance {

// A condition to wait for. Spurious wake-ups do not happen, but the condition may have changed again: test it in a loop.
class Signal {
 public:
  explicit Signal(Loop& loop) : loop_(loop) {}
  void notify_all() {
    while (Ready* waiting = waiting_.pop_front()) loop_.wake(*waiting);
  }
  void notify_one() {
    if (Ready* waiting = waiting_.pop_front()) loop_.wake(*waiting);
  }
  bool has_waiters() { return !waiting_.empty(); }

  auto wait() {
    struct Awaiter {
      Signal& signal;
      ReadyCoroutine ready{};
      bool await_ready() const { return false; }
      void await_suspend(std::coroutine_handle<> waiting) {
        ready.handle = waiting;
        signal.waiting_.push_back(ready);
      }
      void await_resume() const {}
    };
    return Awaiter{*this};
  }
  Loop& loop() const { return loop_; }

 private:
  Loop& loop_;
  IntrusiveList<Ready> waiting_;
};

// A bounded queue. `push` waits for a free place, `pop` for a value. After `close`, `pop` returns the remaining values and then
// no value. `capacity`: the number of values, at least 1.
template <class T>
class Channel {
 public:
  Channel(Loop& loop, std::size_t capacity) : capacity_(capacity), readable_(loop), writable_(loop) {}

  Task<bool> push(T value) {  // False: the channel is closed, and the value is dropped.
    while (items_.size() >= capacity_ && !closed_) co_await writable_.wait();
    co_return try_push(std::move(value));
  }
  bool try_push(T value) {  // False: the channel is full or closed.
    if (closed_ || items_.size() >= capacity_) return false;
    items_.push_back(std::move(value));
    readable_.notify_one();
    return true;
  }
  Task<std::optional<T>> pop() {
    while (items_.empty() && !closed_) co_await readable_.wait();
    co_return try_pop();
  }
  std::optional<T> try_pop() {
    if (items_.empty()) return std::nullopt;
    std::optional<T> value(std::move(items_.front()));
    items_.pop_front();
    writable_.notify_one();
    return value;
  }
  void close() {
    closed_ = true;
    readable_.notify_all();
    writable_.notify_all();
  }
  bool closed() const { return closed_; }
  std::size_t size() const { return items_.size(); }

 private:
  std::size_t capacity_;
  std::deque<T> items_;
  bool closed_ = false;
  Signal readable_;
  Signal writable_;
};

// A value, set once and awaited by a single coroutine.
template <class T>
class OneShot {
 public:
  explicit OneShot(Loop& loop) : changed_(loop) {}
  bool set(T value) {  // False: a value was set before and stays.
    if (value_) return false;
    value_.emplace(std::move(value));
    changed_.notify_all();
    return true;
  }
  bool is_set() const { return value_.has_value(); }
  Task<T> get() {  // Waits for the value and moves it out: call once.
    while (!value_) co_await changed_.wait();
    co_return *std::move(value_);
  }

 private:
  std::optional<T> value_;
  Signal changed_;
};

}  // namespace parlance
