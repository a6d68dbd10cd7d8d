#include "apps/parlance/exit_code.h"

#include <cstdio>

namespace parlance::app {

int complain(const Error& error, int code) {
  std::fprintf(stderr, "parlance: %s\n", error.message.c_str());
  return code;
}

int complain_of_use(const Error& error, int otherwise) {
  return complain(error, error.code == Errc::invalid_params ? int{ExitCode::usage} : otherwise);
}

}  // namespace parlance::app
