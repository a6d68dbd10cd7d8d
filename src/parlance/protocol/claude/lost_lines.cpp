// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/claude/lost_lines.h"

#include <string>

#include "parlance/base/log.h"
#include "parlance/base/utf8.h"

namespace parlance::claude {

LostLines::~LostLines() {
  if (count_ > logged_) log_sum();
}

void LostLines::add(const Error& why, BytesView head) {
  ++count_;
  if (count_ <= lost_lines_logged_each) {
    logged_ = count_;
    log(LogLevel::warn, "a line of the control protocol was skipped", {{"why", why.message}, {"begins", to_valid_utf8(head)}});
  } else if (count_ == next_sum_) {
    next_sum_ *= 10;
    log_sum();
  }
}

void LostLines::log_sum() {
  logged_ = count_;
  log(LogLevel::warn, "lines of the control protocol were skipped; only the first are logged one by one",
      {{"lines", std::to_string(count_)}});
}

}  // namespace parlance::claude
