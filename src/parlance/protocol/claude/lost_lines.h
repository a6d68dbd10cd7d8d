// SPDX-License-Identifier: Apache-2.0
// Logs lines outside of the protocol, or beyond its size: the first few with their beginning, then their number at every
// tenfold, and the sum at the end. A program may print a million such lines, which would hide all other log lines. One for each
// connection; loop thread only.
#pragma once

#include <cstdint>

#include "parlance/base/bytes.h"
#include "parlance/base/error.h"

namespace parlance::claude {

inline constexpr std::uint64_t lost_lines_logged_each = 10;

class LostLines {
 public:
  LostLines() = default;
  ~LostLines();  // Logs the sum, if larger than the last logged number.
  LostLines(const LostLines&) = delete;
  LostLines& operator=(const LostLines&) = delete;

  void add(const Error& why, BytesView head);
  std::uint64_t count() const { return count_; }

 private:
  void log_sum();
  std::uint64_t count_ = 0;
  std::uint64_t logged_ = 0;  // Number of logged lines.
  std::uint64_t next_sum_ = 10 * lost_lines_logged_each;
};

}  // namespace parlance::claude
