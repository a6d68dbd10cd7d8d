// SPDX-License-Identifier: Apache-2.0
// One request on its way through a worker: until when it may run, whether somebody stopped it, and whether it is too late for that.
//
// A request that was answered with "timed out" or "cancelled" must not change the database afterwards. So stopping and committing
// compete for one word of memory: whoever comes first wins, and a commit that lost is rolled back (the commit hook asks
// `begin_commit`). Any thread, except where a function says so.
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

  // Ends the statement that runs, within microseconds unless it is inside one long SQL function. False: the commit has begun (the
  // request will be answered with what it did), or another stop was first.
  bool time_out() { return stop(State::timed_out); }
  bool cancel() { return stop(State::cancelled); }

  State state() const { return state_.load(std::memory_order_acquire); }
  bool stopped() const { return state() == State::timed_out || state() == State::cancelled; }
  TimePoint deadline() const { return deadline_; }

  // Worker thread: may it go on? Stops it when its time is over.
  bool may_go_on();
  bool begin_commit();

  // Worker thread: which connection `stop` interrupts. A closed connection must not be interrupted, hence the lock.
  void attach(sqlite3* handle);
  void detach();

 private:
  bool stop(State why);

  const TimePoint deadline_;
  std::atomic<State> state_{State::going};
  std::mutex mutex_;
  sqlite3* handle_ = nullptr;  // guarded by mutex_
};

}  // namespace parlance::sqlite
