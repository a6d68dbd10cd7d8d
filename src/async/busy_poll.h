// Looking again before waiting. Two programs that answer each other at once (a caller and its server, a tool's question and its
// answer) spend most of a call in falling asleep and being woken. So the loop looks once more at the one input that it has just
// read from, for some microseconds, and lets others run meanwhile; only then it waits in the kernel.
// It stops by itself where that does not pay: an input that comes later than that is looked at less and less often, and so is one
// on a processor that others want (docs/decisions/0012-busy-polling.md). Loop thread only, except where `interrupted` is written.
#pragma once

#include <atomic>

#include "base/clock.h"

namespace parlance {

// An input that can be read without waiting.
class Pollable {
 public:
  virtual bool poll_now() = 0;  // true: something had come (the end counts) and was handled, in a turn
  virtual void wait() = 0;      // nothing came: the kernel shall tell

 protected:
  ~Pollable() = default;
};

struct BusyPollTimes {
  // An answer that takes longer than this costs more than the 5 to 10 us of falling asleep and waking up that could be saved.
  Duration look = std::chrono::microseconds(30);
  // A processor that was given away for longer than the system call takes is shared. If who had it did not answer with that, looking
  // again takes from the other side what it needs to answer (Go's runtime hands its work from thread to thread first).
  Duration shared = std::chrono::microseconds(2);
  // A processor that somebody else kept for so long is wanted: there it is better to sleep, for who wakes up is let in first.
  Duration crowded = std::chrono::microseconds(200);
};

class BusyPoll {
 public:
  explicit BusyPoll(BusyPollTimes times = {}) : times_(times) {}

  // `input` has been read: the one that was read last, and before that as well, is worth looking at.
  void came(const Pollable& input) {
    in_a_row_ = &input == last_ ? in_a_row_ + 1 : 1;
    last_ = &input;
  }
  // `input` wants to be read. True: it is looked at before the loop waits; false: it has to wait by itself.
  bool take(Pollable& input) {
    if (!enabled_ || taken_ != nullptr || last_ != &input || in_a_row_ < 2) return false;
    if (pause_ != 0) {
      --pause_;
      return false;
    }
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
  // itself then, and false.
  bool look(const std::atomic<bool>& interrupted);

  // While a loop runs that may wait. Afterwards no input is left that nobody waits for.
  void enable() { enabled_ = true; }
  void disable();

 private:
  void missed();

  BusyPollTimes times_;
  Pollable* taken_ = nullptr;
  const Pollable* last_ = nullptr;
  int in_a_row_ = 0;
  int misses_ = 0;
  int pause_ = 0;  // so many inputs wait by themselves
  bool enabled_ = false;
};

}  // namespace parlance
