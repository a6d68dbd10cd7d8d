// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sstream>
#include <string>

namespace parlance::simulator {

// The parts in one line.
template <class... Parts>
std::string sentence(const Parts&... parts) {
  std::ostringstream line;
  (line << ... << parts);
  return line.str();
}

}  // namespace parlance::simulator
