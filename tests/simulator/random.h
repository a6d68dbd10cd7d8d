// SPDX-License-Identifier: Apache-2.0
// The only source of chance in a simulation: the same seed gives the same numbers on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

#include "parlance/base/clock.h"

namespace parlance::simulator {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // SplitMix64 (Steele, Lea, Flood 2014).
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(next() % limit); }
  bool chance(double probability) { return static_cast<double>(next() >> 11) * 0x1.0p-53 < probability; }
  Duration between(Duration least, Duration most) {
    return least + Duration(static_cast<Duration::rep>(next() % static_cast<std::uint64_t>((most - least).count() + 1)));
  }
  template <class List>
  auto& pick(List& list) {
    return list[below(list.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace parlance::simulator
