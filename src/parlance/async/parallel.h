// SPDX-License-Identifier: Apache-2.0
// Work in parts on a few threads, beside a caller that produces the parts: a store converts rows while the store reads the next
// rows. One thread calls. The parts run on any thread, in any order, and each thread has its own result. A single part needs no
// thread, because the caller runs the last parts.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "parlance/base/error.h"
#include "parlance/base/result.h"

namespace parlance {

template <class Value>
class Parallel {
 public:
  // Adds to the value of its thread. Must not throw.
  using Part = std::move_only_function<Result<void>(Value& value)>;

  Parallel() = default;
  ~Parallel() { end(); }
  Parallel(const Parallel&) = delete;
  Parallel& operator=(const Parallel&) = delete;

  // Waits while two parts wait, so that few parts need memory at a time.
  void add(Part part) {
    std::unique_lock lock(mutex_);
    if (!waiting_.empty() && threads_.size() < most_threads()) threads_.emplace_back([this] { work(); });
    changed_.wait(lock, [&] { return waiting_.size() < 2; });
    waiting_.push_back(std::move(part));
    changed_.notify_all();
  }
  // Waits for all parts, and returns the values of the threads; call once. Error: the first error of a part. The later parts do not
  // run.
  Result<std::vector<Value>> take() {
    end();
    if (error_) return std::unexpected(*std::move(error_));
    return std::move(values_);
  }

 private:
  static std::size_t most_threads() { return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 4); }

  void end() {
    {
      const std::scoped_lock lock(mutex_);
      if (std::exchange(ended_, true)) return;
      changed_.notify_all();
    }
    work();
    for (std::thread& thread : threads_) thread.join();
  }
  void work() {
    Value value{};
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return !waiting_.empty() || ended_; });
      if (waiting_.empty()) break;
      Part part = std::move(waiting_.front());
      waiting_.pop_front();
      changed_.notify_all();
      if (error_) continue;
      lock.unlock();
      Result<void> done = part(value);
      lock.lock();
      if (!done && !error_) error_ = std::move(done).error();
    }
    values_.push_back(std::move(value));
  }

  std::vector<std::thread> threads_;  // of the caller
  std::mutex mutex_;                  // guards all members below
  std::condition_variable changed_;
  std::deque<Part> waiting_;
  std::vector<Value> values_;
  std::optional<Error> error_;
  bool ended_ = false;
};

}  // namespace parlance
