// SPDX-License-Identifier: Apache-2.0
// Blocking reads of a descriptor. One thread reads. Any thread can end the read, or request a redraw of the line.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "parlance/workspace/fd.h"

namespace parlance::app {

class WakeableInput {
 public:
  explicit WakeableInput(int descriptor);  // stays open

  enum class Read : std::uint8_t { bytes, woken, redraw, ended };
  // Waits for the first byte, and appends all available bytes to `to`.
  Read more(std::string& to);
  static constexpr auto rest_of_a_key = std::chrono::milliseconds(20);  // a terminal sends some keys as several bytes
  // True: input arrives within the time.
  bool soon(std::chrono::milliseconds time) const;

  void wake();    // ends the waiting read, or the next read
  void redraw();  // the same for the display of the line; a wake is returned first
  void forget();  // discards wakes and redraws that no read has returned

 private:
  void ring();
  void silence();
  int descriptor_;
  workspace::Fd wake_;
  std::atomic<bool> is_woken_ = false;
};

}  // namespace parlance::app
