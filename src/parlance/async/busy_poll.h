// SPDX-License-Identifier: Apache-2.0
// Looking again before waiting. Two programs that answer each other at once (a caller and its server, a tool's question and its
// answer) spend most of a call in falling asleep and being woken. So the loop looks for a while at the one input that it has just
// read from, and lets others run meanwhile; only then it waits in the kernel. Whether that pays is tried out now and then
// (docs/decisions/0012-busy-polling.md).
// Loop thread only, except where `interrupted` is written.
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

#include "parlance/base/clock.h"

namespace parlance {

// An input that can be read without waiting.
class Pollable {
 public:
  // True: something had come (the end counts) and was handled, in a turn that began `now`.
  virtual bool poll_now(TimePoint now) = 0;
  virtual void wait() = 0;  // nothing came: the kernel shall tell

 protected:
  ~Pollable() = default;
};

struct BusyPollTimes {
  // To fall asleep and be woken costs 5 to 10 us, on a virtual machine 25 to 50, and a program on Node answers in about as many: with
  // 30 us its answers come just too late half of the time.
  Duration look = std::chrono::microseconds(100);
  // A processor that somebody else kept for so long is wanted: there it is better to sleep, for who wakes up is let in first.
  Duration crowded = std::chrono::microseconds(200);
};

// Is it faster to look, or to wait? That hangs on the other side, on the kernel and on where both run; every rule that was to guess it
// was wrong somewhere. (A Go client on our processor makes 30 k calls per s with looking and 51 k without, although each look finds its
// answer; our own makes 86 k and 66 k.) So some reads are done in each way, and the faster one is kept for hundreds, then thousands.
class LookTrial {
 public:
  bool look() const { return look_; }
  // Something was read in that way, so long after what was read before.
  void took(Duration time, std::size_t bytes);
  // It was looked for in vain. If that happens to more than a quarter of the reads, looking is given up.
  void missed();

  static constexpr int each = 32;  // reads in each way

 private:
  struct Cost {
    double time = 0;
    double bytes = 0;
  };
  void begin(bool look);
  void settle();

  bool look_ = true;
  bool settled_ = false;
  bool last_ = false;  // what the trial before said
  int reads_ = 0;      // in this way
  int misses_ = 0;
  int keep_ = 0;  // reads until the next trial
  unsigned random_ = 1;
  Cost looking_;
  Cost waiting_;
};

class BusyPoll {
 public:
  explicit BusyPoll(BusyPollTimes times = {}) : times_(times) {}

  // `input` has been read: the one that was read last, and before that as well, is worth looking at.
  void came(const Pollable& input, TimePoint now, std::size_t bytes) {
    in_a_row_ = &input == last_ ? in_a_row_ + 1 : 1;
    if (in_a_row_ > 2) trial_.took(now - last_time_, bytes);
    last_ = &input;
    last_time_ = now;
  }
  // `input` wants to be read. True: it is looked at before the loop waits; false: it has to wait by itself.
  bool take(Pollable& input) {
    if (!enabled_ || taken_ != nullptr || last_ != &input || in_a_row_ < 2 || !trial_.look()) return false;
    taken_ = &input;
    return true;
  }
  // Looks at it no more; true if it would have.
  bool drop(const Pollable& input) {
    if (last_ == &input) last_ = nullptr;
    if (taken_ != &input) return false;
    taken_ = nullptr;
    return true;
  }
  bool has_input() const { return taken_ != nullptr; }

  // Looks at the input that was taken until something came, or `interrupted` is set: true. Or the time is over: the input waits by
  // itself then, and false. The clock is asked once for each look.
  bool look(const std::atomic<bool>& interrupted);

  // A turn of a loop that has an input to look at. Everything else goes through `others`, which handles one thing that has come and is asked
  // often enough that nobody waits for long; at once when `posted` says that something came by another thread.
  template <class Others>
  void turn(TimePoint now, std::atomic<bool>& posted, Others others) {
    if (std::exchange(others_were_busy_, false)) {
      posted.store(true, std::memory_order_relaxed);  // there may be more: one look, then they are asked again
    } else if (posted.exchange(false, std::memory_order_relaxed) || now - asked_ >= longest_between) {
      asked_ = now;
      others_were_busy_ = others();
      if (others_were_busy_) return;
    }
    static_cast<void>(look(posted));
  }

  // While a loop runs that may wait. Afterwards no input is left that nobody waits for.
  void enable() { enabled_ = true; }
  void disable();

 private:
  BusyPollTimes times_;
  Pollable* taken_ = nullptr;
  const Pollable* last_ = nullptr;
  TimePoint last_time_{};
  int in_a_row_ = 0;
  static constexpr Duration longest_between = std::chrono::microseconds(100);
  TimePoint asked_{};  // the others, last
  bool others_were_busy_ = false;
  LookTrial trial_;
  bool enabled_ = false;
};

}  // namespace parlance
