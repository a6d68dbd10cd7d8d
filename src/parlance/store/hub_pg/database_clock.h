// SPDX-License-Identifier: Apache-2.0
// The time of day of the database, because the clock of a gateway's machine may be wrong or may jump.
//
// Each answer with the server's time moves this clock into the range between question and answer. Until the next answer it runs
// with the clock since boot. One thread calls `take`; any thread calls `at`.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

#include "parlance/base/clock.h"

namespace parlance::store {

class DatabaseClock {
 public:
  using Boot = std::chrono::nanoseconds;  // since_boot()

  // The server read `time` from its clock after `sent` and before `received`.
  void take(WallTime time, Boot sent, Boot received) {
    const std::int64_t read = time.time_since_epoch().count();
    const std::int64_t least = read - milliseconds(received);
    const std::int64_t most = read - milliseconds(sent);
    const std::int64_t known = boot_time_.load();
    boot_time_ = known == unknown ? least + (most - least) / 2 : std::clamp(known, least, most);
  }
  // No value before the first `take`.
  std::optional<WallTime> at(Boot now) const {
    const std::int64_t known = boot_time_.load();
    if (known == unknown) return std::nullopt;
    return WallTime(std::chrono::milliseconds(known + milliseconds(now)));
  }

 private:
  static constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::min();
  // Rounded down.
  static std::int64_t milliseconds(Boot time) { return std::chrono::floor<std::chrono::milliseconds>(time).count(); }

  std::atomic<std::int64_t> boot_time_ = unknown;  // the time of day at boot, in milliseconds since 1970
};

}  // namespace parlance::store
