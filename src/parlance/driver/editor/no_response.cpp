// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/editor/no_response.h"

#include <charconv>
#include <chrono>

namespace parlance::driver {

std::string no_response(std::string_view method, Duration after) {
  char digits[32];
  const double seconds = std::chrono::duration_cast<std::chrono::duration<double>>(after).count();
  const std::string_view shortest(digits, std::to_chars(digits, digits + sizeof digits, seconds).ptr);
  return "No response for '" + std::string(method) + "' after " + std::string(shortest) + "s";
}

}  // namespace parlance::driver
