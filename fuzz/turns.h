// SPDX-License-Identifier: Apache-2.0
// For targets with a loop: turns of the loop, each of which must end, and a limit for the processor time of an input.
#pragma once

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <sys/time.h>

#include "parlance/async/loop.h"
#include "parlance/base/bytes.h"
#include "parlance/base/check.h"
#include "parlance/transport/byte_stream.h"
#include "tests/support/step_limit.h"

namespace parlance::fuzz {

// Of the processor, for an input. In `check`, libFuzzer has its own limit; for replayed inputs, this is the only limit.
inline void arm_watchdog() {
  static const bool armed = [] {
    std::signal(SIGVTALRM, [](int) {
      std::fputs("an input takes more than 10 seconds of the processor\n", stderr);
      std::abort();
    });
    return true;
  }();
  static_cast<void>(armed);
  const itimerval time{.it_interval = {}, .it_value = {.tv_sec = 10, .tv_usec = 0}};
  ::setitimer(ITIMER_VIRTUAL, &time, nullptr);
}

class Turns {
 public:
  // For a piece: a few for each of its bytes.
  Turns(Loop& loop, std::size_t size) : loop_(loop), most_(10'000 + 64 * size), steps_(loop, most_) {}
  void run() {
    steps_.progress();
    for (std::uint64_t turns = 0; loop_.run_ready(); ++turns)
      PARLANCE_CHECK(turns < most_, "a loop that stands still once nothing more happens");
  }
  void pass(Duration time) {
    steps_.progress();
    loop_.advance(time);
    run();
  }
  // Writes the bytes in pieces of `cut` bytes, until the other side has ended. 0: line by line, each after the effect of the
  // previous line, for which `time` passes. `act` runs after each piece.
  void feed(ByteStream& hand, BytesView bytes, std::size_t cut, Duration time, const std::function<void()>& act = [] {}) {
    while (!bytes.empty()) {
      const std::size_t line = std::min(bytes.find('\n'), bytes.size() - 1) + 1;
      const BytesView piece = bytes.substr(0, cut == 0 ? line : cut);
      if (hand.try_write(piece) == 0) return;
      bytes.remove_prefix(piece.size());
      run();
      act();
      if (cut == 0) pass(time);
    }
  }

 private:
  Loop& loop_;
  std::uint64_t most_;
  test::StepLimit steps_;
};

}  // namespace parlance::fuzz
