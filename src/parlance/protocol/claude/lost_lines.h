// SPDX-License-Identifier: Apache-2.0
// What the log hears of lines that are no protocol, or too long for it: the first few each with its beginning, then only how many there are,
// at every tenfold, and the sum at the end. A program that prints where its protocol goes may do so a million times, and a log of that
// buries everything else. One for each connection; loop thread only.
#pragma once

#include <cstdint>

#include "parlance/base/bytes.h"
#include "parlance/base/error.h"

namespace parlance::claude {

inline constexpr std::uint64_t lost_lines_told_each = 10;

class LostLines {
 public:
  LostLines() = default;
  ~LostLines();  // tells the sum, when it is more than what has been told
  LostLines(const LostLines&) = delete;
  LostLines& operator=(const LostLines&) = delete;

  void add(const Error& why, BytesView head);
  std::uint64_t count() const { return count_; }

 private:
  void tell_sum();
  std::uint64_t count_ = 0;
  std::uint64_t told_ = 0;  // of which the log knows
  std::uint64_t next_sum_ = 10 * lost_lines_told_each;
};

}  // namespace parlance::claude
