// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace parlance {

void check_failed(const char* file, int line, const char* condition, std::string_view expected) {
  std::fprintf(stderr, "parlance: bug at %s:%d: expected %.*s (%s)\n", file, line, static_cast<int>(expected.size()),
               expected.data(), condition);
  std::abort();
}

}  // namespace parlance
