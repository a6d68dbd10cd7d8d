#include "async/busy_poll.h"

#include <algorithm>
#include <sched.h>
#include <utility>

namespace parlance {
namespace {

constexpr int longest_pause_bits = 10;  // 30 us lost for each 1,024 messages

}  // namespace

bool BusyPoll::look(const std::atomic<bool>& interrupted) {
  const TimePoint begin = Clock::now();
  for (TimePoint now = begin;;) {
    ::sched_yield();
    const TimePoint before = std::exchange(now, Clock::now());
    const Duration away = now - before;
    Pollable& input = *std::exchange(taken_, nullptr);  // it may want to be taken again
    if (input.poll_now()) {
      if (away > times_.crowded) missed();
      else misses_ = 0;
      return true;
    }
    if (away > times_.shared || now - begin >= times_.look) {
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
