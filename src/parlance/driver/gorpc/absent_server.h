// SPDX-License-Identifier: Apache-2.0
// A server of tools without a connection: the agent works without its tools. A value.
#pragma once

#include <string>

namespace parlance::driver {

struct AbsentServer {
  std::string name{};
  std::string reason{};
  bool starting = false;  // the first connection attempt still runs
};

}  // namespace parlance::driver
