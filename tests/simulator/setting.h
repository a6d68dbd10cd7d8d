// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "parlance/async/channel.h"
#include "parlance/async/loop.h"
#include "parlance/hub/test_shared_store.h"
#include "tests/simulator/faults.h"
#include "tests/simulator/ledger.h"
#include "tests/simulator/random.h"

namespace parlance::simulator {

// Shared by all parts of one simulation.
struct Setting {
  Loop& loop;
  Random& random;
  Faults& faults;
  hub::test::SharedMemory& memory;
  Ledger& ledger;
  TimePoint begin = loop.now();
  TimePoint stalled_until{};  // no call of the store ends before
  TimePoint full_until{};     // no write succeeds before
  Signal calm{loop};          // the faults are over

  // Equal in each run.
  WallTime wall_clock() const {
    constexpr WallTime first_day = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);
    return first_day + std::chrono::duration_cast<WallTime::duration>(loop.now() - begin);
  }
};

}  // namespace parlance::simulator
