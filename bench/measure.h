// SPDX-License-Identifier: Apache-2.0
// The output and the timing of all programs of bench/. All programs, ours and the peers', end with one line:
//
//   PER_SECOND OWN_CPU_MICROSECONDS TOTAL
//
// PER_SECOND: calls a second of wall time, without the warm-up. OWN_CPU…: processor time of this process (and of its reaped
// children) for one call. TOTAL: all calls, including the warm-up, so that bench/run can divide a server's time by this number.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/resource.h>

#include "parlance/base/clock.h"

namespace parlance::bench {

// A figure of a failed run is worse than none.
[[noreturn]] inline void give_up(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

inline constexpr auto warm_up = std::chrono::milliseconds(200);

inline double cpu_seconds(int who) {
  rusage used{};
  ::getrusage(who, &used);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

class Measurement {
 public:
  explicit Measurement(double seconds)
      : begin_(Clock::now() + warm_up),
        end_(begin_ + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds))) {}

  bool over(TimePoint now) const { return now >= end_; }
  void count(TimePoint now, std::uint64_t calls = 1) {
    total_ += calls;
    if (now >= begin_) measured_ += calls;
  }
  void stop() { stopped_ = Clock::now(); }
  // The last action of a program, after the end of its children.
  void print() const {
    const double wall = std::chrono::duration<double>((stopped_ == never ? Clock::now() : stopped_) - begin_).count();
    const double cpu = cpu_seconds(RUSAGE_SELF) + cpu_seconds(RUSAGE_CHILDREN);
    std::printf("%.0f %.4f %llu\n", static_cast<double>(measured_) / wall, cpu * 1e6 / static_cast<double>(total_),
                static_cast<unsigned long long>(total_));
  }

 private:
  TimePoint begin_;
  TimePoint end_;
  TimePoint stopped_ = never;
  std::uint64_t measured_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace parlance::bench
