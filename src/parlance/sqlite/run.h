// SPDX-License-Identifier: Apache-2.0
// One request on a worker: its deadline, its stop, and the point of no return.
//
// A request answered with "timed out" or "cancelled" must not change the database afterwards. A stop and a commit therefore
// compete for a single word of memory. The first wins, and a losing commit is rolled back (the commit hook calls
// `begin_commit`). Any thread, except where a function says otherwise.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "parlance/base/clock.h"

struct sqlite3;

namespace parlance::sqlite {

class Run {
 public:
  enum class State : std::uint8_t { going, timed_out, cancelled, committing };

  explicit Run(TimePoint deadline) : deadline_(deadline) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Ends the running statement within microseconds, except inside a long SQL function. False: the commit has begun (the answer
  // will report its effect), or another stop was first.
  bool time_out() { return stop(State::timed_out); }
  bool cancel() { return stop(State::cancelled); }

  State state() const { return state_.load(std::memory_order_acquire); }
  bool stopped() const { return state() == State::timed_out || state() == State::cancelled; }
  TimePoint deadline() const { return deadline_; }

  // Worker thread: true if the request may continue. Stops the request after its deadline.
  bool may_go_on();
  bool begin_commit();

  // Worker thread: the connection that `stop` interrupts. The lock protects a closed connection from interrupts.
  void attach(sqlite3* handle);
  void detach();

 private:
  bool stop(State why);

  const TimePoint deadline_;
  std::atomic<State> state_{State::going};
  std::mutex mutex_;
  sqlite3* handle_ = nullptr;  // Guarded by mutex_.
};

}  // namespace parlance::sqlite
