// SPDX-License-Identifier: Apache-2.0
// How long to wait before the next attempt: longer each time, and not in step with others. A value.
#pragma once

#include <algorithm>
#include <chrono>
#include <random>

#include "parlance/base/clock.h"

namespace parlance::app {

class BackOff {
 public:
  static constexpr auto first = std::chrono::milliseconds(500);
  static constexpr auto most = std::chrono::seconds(30);  // the longest wait for a restarted gateway

  Duration next() {
    const auto whole = std::chrono::duration_cast<std::chrono::milliseconds>(wait_).count();
    wait_ = std::min<Duration>(wait_ * 2, most);
    return std::chrono::milliseconds(std::uniform_int_distribution<long>(whole / 2, whole)(random_));
  }

 private:
  Duration wait_ = first;
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace parlance::app
