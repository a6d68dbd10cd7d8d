// SPDX-License-Identifier: Apache-2.0
// A wait for a signal with a time limit. Loop thread only.
#pragma once

#include "parlance/async/channel.h"
#include "parlance/async/task.h"
#include "parlance/base/result.h"

namespace parlance {

// Waits for the next notification, at most until `until`. False: the time is over. The signal must outlive the wait.
inline Task<bool> notified(Signal& signal, TimePoint until) {
  const auto next = [](Signal& awaited) -> Task<Result<void>> {
    co_await awaited.wait();
    co_return Result<void>{};
  };
  co_return (co_await with_deadline(signal.loop(), until, next(signal))).has_value();
}

}  // namespace parlance
