// SPDX-License-Identifier: Apache-2.0
// PARLANCE_CHECK(condition, "the expectation") ends the program if the condition is false, in release builds too. For conditions
// that only a bug can break, never for input. Any thread.
#pragma once

#include <string_view>

namespace parlance {
[[noreturn]] void check_failed(const char* file, int line, const char* condition, std::string_view expected);
}

#define PARLANCE_CHECK(condition, expected)                               \
  do {                                                                    \
    if (!(condition)) [[unlikely]]                                        \
      ::parlance::check_failed(__FILE__, __LINE__, #condition, expected); \
  } while (false)
