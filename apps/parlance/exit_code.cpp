// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/exit_code.h"

#include <cstdio>

#include "parlance/base/visible_text.h"

namespace parlance::app {

int complain(const Error& error, int code) {
  std::fprintf(stderr, "parlance: %s\n", visible_text(error.message).c_str());
  return code;
}

int complain_of_use(const Error& error, int otherwise) {
  return complain(error, error.code == Errc::invalid_params ? int{ExitCode::usage} : otherwise);
}

}  // namespace parlance::app
