// SPDX-License-Identifier: Apache-2.0
// Polling before waiting. Two programs that answer each other at once spend most of a call with sleep and wake-up. The loop
// therefore polls the input of its last read for a while, and yields the processor between polls. Then it waits in the kernel. A
// trial measures the gain from time to time (docs/decisions/0012-busy-polling.md). Loop thread only, except for writes to
// `interrupted`.
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

#include "parlance/base/clock.h"

namespace parlance {

// An input that can be read without waiting.
class Pollable {
 public:
  // True: the input had data (the end counts), and the handler ran in a turn that began at `now`.
  virtual bool poll_now(TimePoint now) = 0;
  virtual void wait() = 0;  // The input had no data. The kernel must report the next.

 protected:
  ~Pollable() = default;
};

struct BusyPollTimes {
  // Sleep and wake-up cost 5 to 10 us, on a virtual machine 25 to 50. A program on Node answers in about the same time, so a
  // limit of 30 us misses half of its answers.
  Duration look = std::chrono::microseconds(100);
  // After a loss of the processor for this time, polling stops: the kernel prefers processes that wake up.
  Duration crowded = std::chrono::microseconds(200);
};

// Measures whether polling or waiting is faster. The result depends on the peer, the kernel and the processors, and every fixed
// rule was wrong for some peer. (A Go client on our processor makes 30 k calls per s with polling and 51 k without; our own
// client makes 86 k and 66 k.) The trial reads in both ways and keeps the faster way for hundreds, then thousands of reads.
class LookTrial {
 public:
  bool look() const { return look_; }
  // Records a read in the present way, with the time since the read before.
  void took(Duration time, std::size_t bytes);
  // Records a poll without data. Polling stops if more than a quarter of the reads poll in vain.
  void missed();

  static constexpr int each = 32;  // Reads in each way.

 private:
  struct Cost {
    double time = 0;
    double bytes = 0;
  };
  void begin(bool look);
  void settle();

  bool look_ = true;
  bool settled_ = false;
  bool last_ = false;  // Result of the trial before.
  int reads_ = 0;      // In the present way.
  int misses_ = 0;
  int keep_ = 0;  // Reads until the next trial.
  unsigned random_ = 1;
  Cost looking_;
  Cost waiting_;
};

class BusyPoll {
 public:
  explicit BusyPoll(BusyPollTimes times = {}) : times_(times) {}

  // Records a read of `input`. The same input twice in a row qualifies for polling.
  void came(const Pollable& input, TimePoint now, std::size_t bytes) {
    in_a_row_ = &input == last_ ? in_a_row_ + 1 : 1;
    if (in_a_row_ > 2) trial_.took(now - last_time_, bytes);
    last_ = &input;
    last_time_ = now;
  }
  // `input` waits for data. True: the loop polls the input before it waits. False: the input must wait in the kernel.
  bool take(Pollable& input) {
    if (!enabled_ || taken_ != nullptr || last_ != &input || in_a_row_ < 2 || !trial_.look()) return false;
    taken_ = &input;
    return true;
  }
  // Stops polling the input. True: the loop would have polled it.
  bool drop(const Pollable& input) {
    if (last_ == &input) last_ = nullptr;
    if (taken_ != &input) return false;
    taken_ = nullptr;
    return true;
  }
  bool has_input() const { return taken_ != nullptr; }

  // Polls the chosen input until data arrives or `interrupted` is set (true), or until BusyPollTimes::look is over (false; the input
  // then waits in the kernel). Reads the clock once for each poll.
  bool look(const std::atomic<bool>& interrupted);

  // A turn of a loop with an input to poll. All other events go through `others`, which handles one event for each call. The
  // loop calls `others` often enough for timely service, and at once after `posted` reports an event from another thread.
  template <class Others>
  void turn(TimePoint now, std::atomic<bool>& posted, Others others) {
    if (std::exchange(others_were_busy_, false)) {
      posted.store(true, std::memory_order_relaxed);  // More events may wait: poll once, then call `others` again.
    } else if (posted.exchange(false, std::memory_order_relaxed) || now - asked_ >= longest_between) {
      asked_ = now;
      others_were_busy_ = others();
      if (others_were_busy_) return;
    }
    static_cast<void>(look(posted));
  }

  // `enable`: the loop runs and may wait. After `disable`, every input waits in the kernel.
  void enable() { enabled_ = true; }
  void disable();

 private:
  BusyPollTimes times_;
  Pollable* taken_ = nullptr;
  const Pollable* last_ = nullptr;
  TimePoint last_time_{};
  int in_a_row_ = 0;
  static constexpr Duration longest_between = std::chrono::microseconds(100);
  TimePoint asked_{};  // Time of the last call of `others`.
  bool others_were_busy_ = false;
  LookTrial trial_;
  bool enabled_ = false;
};

}  // namespace parlance
