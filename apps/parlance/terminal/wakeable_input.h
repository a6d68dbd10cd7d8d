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
  // Waits for the first byte, and appends all available bytes to `to`.
  Read more(std::string& to);
  static constexpr auto rest_of_a_key = std::chrono::milliseconds(20);  // a terminal sends some keys as several bytes
  // True: input arrives within the time.
  bool soon(std::chrono::milliseconds time) const;

  void wake();    // ends the waiting read, or the next read
  void forget();  // discards a wake that no read has returned

 private:
  int descriptor_;
  workspace::Fd wake_;
};

}  // namespace parlance::app
