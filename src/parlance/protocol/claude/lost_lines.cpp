// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/claude/lost_lines.h"

#include <string>

#include "parlance/base/log.h"
#include "parlance/base/utf8.h"

namespace parlance::claude {

LostLines::~LostLines() {
  if (count_ > told_) tell_sum();
}

void LostLines::add(const Error& why, BytesView head) {
  ++count_;
  if (count_ <= lost_lines_told_each) {
    told_ = count_;
    log(LogLevel::warn, "a line of the control protocol was passed over",
        {{"why", why.message}, {"begins", to_valid_utf8(head)}});
  } else if (count_ == next_sum_) {
    next_sum_ *= 10;
    tell_sum();
  }
}

void LostLines::tell_sum() {
  told_ = count_;
  log(LogLevel::warn, "lines of the control protocol were passed over; only the first were told one by one",
      {{"lines", std::to_string(count_)}});
}

}  // namespace parlance::claude
