// SPDX-License-Identifier: Apache-2.0
// A cached check of iFlow, so that a frontend may ask with every message. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"

namespace parlance::driver {

struct Availability {
  bool available = false;
  std::string version{};    // empty: unknown
  std::string path{};       // of the program, or the address of a running iFlow
  std::string diagnosis{};  // in words: the result, or the fault and its remedy
};

// One cache for all callers of an iFlow. Loop thread only; destroy before the loop: this cancels a running check.
class AvailabilityCache {
 public:
  using Check = std::function<Task<Availability>()>;
  AvailabilityCache(Loop& loop, Check check);

  // Cached for limits::iflow_available_for after a success, iflow_unavailable_for after a failure. Otherwise runs the check;
  // parallel callers share it. A check continues after its callers are destroyed.
  Task<Availability> get();
  // Forces a new check for the next call, even during a check.
  void clear();

 private:
  struct Flight {
    explicit Flight(Loop& loop) : landed(loop) {}
    std::optional<Availability> result;
    Signal landed;
  };
  Task<void> fly(std::shared_ptr<Flight> flight);

  Loop& loop_;
  Check check_;
  std::optional<Availability> known_;
  TimePoint fresh_until_{};
  std::shared_ptr<Flight> flight_;
  Scope scope_;
};

}  // namespace parlance::driver
