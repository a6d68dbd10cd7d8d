// SPDX-License-Identifier: Apache-2.0
// Ends the program when a loop goes on and on within one turn: what spins never comes back to its test. Loop thread only.
#pragma once

#include <cstdint>

#include "parlance/async/loop.h"
#include "parlance/base/check.h"

namespace parlance::test {

class StepLimit final : private StepWatch {
 public:
  // `most` steps without a word of progress. A turn takes a few for each frame that it brought.
  explicit StepLimit(Loop& loop, std::uint64_t most = 100'000) : loop_(loop), most_(most) { loop_.watch_steps(this); }
  ~StepLimit() { loop_.watch_steps(nullptr); }
  StepLimit(const StepLimit&) = delete;
  StepLimit& operator=(const StepLimit&) = delete;

  void progress() { steps_ = 0; }  // bytes were given or taken, or time passed

 private:
  void on_step() override { PARLANCE_CHECK(++steps_ <= most_, "a loop that stands still once nothing more happens"); }

  Loop& loop_;
  std::uint64_t most_;
  std::uint64_t steps_ = 0;
};

}  // namespace parlance::test
