// SPDX-License-Identifier: Apache-2.0
// Blocking reads of a descriptor that another thread can end. One thread reads, any thread wakes.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "parlance/workspace/fd.h"

namespace parlance::app {

class WakeableInput {
 public:
  explicit WakeableInput(int descriptor);  // stays open

  enum class Read : std::uint8_t { bytes, woken, ended };
  // Appends what is there to `to`; waits for the first byte.
  Read more(std::string& to);
  static constexpr auto rest_of_a_key = std::chrono::milliseconds(20);  // that a terminal sends as several bytes
  // Whether there is something to read within that time.
  bool soon(std::chrono::milliseconds time) const;

  void wake();    // the read that waits, or the next one
  void forget();  // a wake that nobody heard

 private:
  int descriptor_;
  workspace::Fd wake_;
};

}  // namespace parlance::app
