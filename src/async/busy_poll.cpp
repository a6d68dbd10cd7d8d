#include "async/busy_poll.h"

#include <algorithm>
#include <sched.h>
#include <utility>

namespace parlance {
namespace {

constexpr int longest_pause_bits = 10;  // 100 us lost for each 1,024 messages

// Of a trial, in reads. By chance as well, so that the trials of two loops that talk meet at times: where both wait, one that looks
// alone is slower.
constexpr int unsettled = 4;  // after a change of way, which still feel the one before
constexpr int kept_at_least = 512;
constexpr unsigned kept_longer_by = 1024;
constexpr Duration longest_round = std::chrono::microseconds(200);  // more is somebody else's doing
constexpr double clearly = 1.05;                                    // looking keeps a processor busy: it has to be worth that

}  // namespace

void LookTrial::took(Duration time, std::size_t bytes) {
  if (round_ < 2 * each && round_ % each >= unsettled) {
    Sum& sum = round_ < each ? looking_ : waiting_;
    sum.time += static_cast<double>(std::min(time, longest_round).count());
    sum.bytes += static_cast<double>(bytes);
  }
  if (++round_ == 2 * each) {
    look_is_faster_ = looking_.time * waiting_.bytes * clearly < waiting_.time * looking_.bytes;
    random_ = random_ * 1664525 + 1013904223;
    end_ = round_ + kept_at_least + static_cast<int>((random_ >> 16) % kept_longer_by);
  } else if (round_ == end_) {
    round_ = 0;
    looking_ = waiting_ = {};
  }
}

bool BusyPoll::look(const std::atomic<bool>& interrupted) {
  TimePoint before = last_time_;  // when the turn began that ended just now
  TimePoint begin = never;
  for (;;) {
    ::sched_yield();
    const TimePoint now = Clock::now();
    const Duration away = now - std::exchange(before, now);
    begin = std::min(begin, now);
    Pollable& input = *std::exchange(taken_, nullptr);  // it may want to be taken again
    if (input.poll_now(now)) {
      if (away > times_.crowded) missed();
      else misses_ = 0;
      return true;
    }
    if (now - begin >= times_.look) {
      missed();
      input.wait();
      return false;
    }
    taken_ = &input;
    if (interrupted.load(std::memory_order_relaxed)) return true;
  }
}

void BusyPoll::disable() {
  enabled_ = false;
  last_ = nullptr;
  if (Pollable* left = std::exchange(taken_, nullptr)) left->wait();
}

void BusyPoll::missed() {
  misses_ = std::min(misses_ + 1, longest_pause_bits);
  pause_ = 1 << misses_;
}

}  // namespace parlance
