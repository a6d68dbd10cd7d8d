// SPDX-License-Identifier: Apache-2.0
// Whether iFlow can be used, remembered for a while: so that a face may ask with every message. Loop thread only.
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
  std::string version{};    // empty: it does not say
  std::string path{};       // of the program, or the address of one that runs already
  std::string diagnosis{};  // in words: what was found, or what is wrong and what to do
};

// One for all who ask of one iFlow. Loop thread only; it goes before the loop, and a check under way goes with it.
class AvailabilityCache {
 public:
  using Check = std::function<Task<Availability>()>;
  AvailabilityCache(Loop& loop, Check check);

  // From memory, if it is fresh: limits::iflow_available_for after a success, iflow_unavailable_for after a failure. Otherwise it is
  // checked; whoever asks meanwhile gets the same answer. A check goes on when those who wait for it are gone.
  Task<Availability> get();
  // The next one checks again, also while a check is under way.
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
