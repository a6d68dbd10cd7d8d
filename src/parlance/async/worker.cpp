// SPDX-License-Identifier: Apache-2.0
#include "parlance/async/worker.h"

#include <pthread.h>

namespace parlance {

Worker::Worker(Loop& loop, std::string name) : loop_(loop), has_thread_(!loop.is_virtual()) {
  if (!has_thread_) return;
  thread_ = std::thread([this] { work_loop(); });
  name.resize(std::min<std::size_t>(name.size(), 15));
  ::pthread_setname_np(thread_.native_handle(), name.c_str());
}

Worker::~Worker() {
  here_.reset();
  if (!has_thread_) {
    while (run_next()) {}
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Worker::submit(std::move_only_function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
  }
  if (has_thread_) wake_.notify_one();
  else
    loop_.post([here = std::weak_ptr(here_)] {
      if (const auto worker = here.lock()) (*worker)->run_next();
    });
}

bool Worker::run_next() {
  std::move_only_function<void()> work;
  {
    const std::lock_guard lock(mutex_);
    if (queue_.empty()) return false;
    work = std::move(queue_.front());
    queue_.pop_front();
  }
  work();
  return true;
}

std::size_t Worker::queued() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

void Worker::work_loop() {
  do {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return ending_ || !queue_.empty(); });
  } while (run_next());
}

}  // namespace parlance
