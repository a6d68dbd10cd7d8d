// SPDX-License-Identifier: Apache-2.0
// Checks of flags beyond the command line reader's checks. Main thread.
#pragma once

#include <CLI/CLI.hpp>

#include "parlance/base/text.h"

namespace parlance::app {

inline constexpr double longest_wait_s = 1e9;  // thirty years; can still be added to a clock

// A time to wait. CLI11's own check of positive numbers prints a range of 300 digits.
inline CLI::Validator seconds_above_zero() {
  return {[](const std::string& text) {
            const auto seconds = parse_number<double>(text);
            return seconds && *seconds > 0 && *seconds <= longest_wait_s
                       ? std::string()
                       : "\"" + text + "\" is no number of seconds; give more than 0, and 1000000000 at most";
          },
          "", "seconds above 0"};
}

// CLI11's own range accepts nan.
inline CLI::Validator zero_to_one() {
  return {[](const std::string& text) {
            const auto number = parse_number<double>(text);
            return number && *number >= 0 && *number <= 1 ? std::string() : "\"" + text + "\" is no number from 0 to 1";
          },
          "0 to 1", "0 to 1"};
}

}  // namespace parlance::app
