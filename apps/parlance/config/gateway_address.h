// Where a runner's gateway is: ws:// or wss://. A value; any thread.
#pragma once

#include <string>

#include "parlance/base/result.h"

namespace parlance::app {

struct GatewayAddress {
  // Without a path it is /runner. Errors: invalid_params.
  static Result<GatewayAddress> parse(std::string text);
  std::string url{};
  std::string shown{};    // without what may stand behind a question mark
  bool in_clear = false;  // unencrypted, and not to this machine
};

}  // namespace parlance::app
