// SPDX-License-Identifier: Apache-2.0
#include "parlance/async/busy_poll.h"

#include <algorithm>
#include <limits>
#include <sched.h>
#include <utility>

namespace parlance {
namespace {

// Length of a trial, in reads. Partly random, so that trials of two communicating loops sometimes coincide: if both loops wait,
// polling in a single loop is slower.
constexpr int unsettled = 4;  // reads after a change of method, still influenced by the previous method
constexpr int kept_at_first = 512;
constexpr int kept_at_most = 4096;                                 // doubles each time the same method wins
constexpr int misses_in = 4;                                       // for each such number of reads, one miss is permitted
constexpr Duration longest_read = std::chrono::microseconds(200);  // a longer read has another cause
constexpr double clearly = 0.95;                                   // polling occupies a processor: the gain has to justify this

}  // namespace

void LookTrial::took(Duration time, std::size_t bytes) {
  ++reads_;
  if (settled_) {
    if (reads_ >= keep_) {
      looking_ = waiting_ = {};
      settled_ = false;
      begin(true);
    }
    return;
  }
  if (reads_ > unsettled) {
    Cost& cost = look_ ? looking_ : waiting_;
    cost.time += static_cast<double>(std::min(time, longest_read).count());
    cost.bytes += static_cast<double>(bytes);
  }
  if (reads_ < each) return;
  if (look_) begin(false);
  else settle();
}

void LookTrial::missed() {
  if (++misses_ * misses_in <= reads_) return;
  looking_ = {.time = std::numeric_limits<double>::infinity(), .bytes = 1};
  settled_ = false;
  begin(false);
}

void LookTrial::begin(bool look) {
  look_ = look;
  reads_ = misses_ = 0;
}

void LookTrial::settle() {
  begin(looking_.time * waiting_.bytes < waiting_.time * looking_.bytes * clearly);
  settled_ = true;
  const int usual = look_ == last_ ? std::min(keep_ * 2, kept_at_most) : kept_at_first;
  last_ = look_;
  random_ = random_ * 1664525 + 1013904223;
  keep_ = std::max(usual, kept_at_first) + static_cast<int>(random_ >> 16) % kept_at_first;
}

bool BusyPoll::look(const std::atomic<bool>& interrupted) {
  TimePoint before = last_time_;  // the beginning of the ended turn
  TimePoint begin = never;
  for (;;) {
    ::sched_yield();
    const TimePoint now = Clock::now();
    const Duration away = now - std::exchange(before, now);
    begin = std::min(begin, now);
    Pollable& input = *std::exchange(taken_, nullptr);  // the input may register again
    if (away > times_.crowded) trial_.missed();
    if (input.poll_now(now)) return true;
    if (now - begin >= times_.look) {
      trial_.missed();
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

}  // namespace parlance
