// SPDX-License-Identifier: Apache-2.0
// Where a gateway is that this program connects to: ws:// or wss://. A value; any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/result.h"

namespace parlance::app {

inline constexpr std::string_view runner_path = "/runner";  // for runners
inline constexpr std::string_view page_path = "/ws";        // for pages, and for programs that a person works with

struct GatewayAddress {
  // A text without a path gets `path`. Errors: invalid_params.
  static Result<GatewayAddress> parse(std::string text, std::string_view path);
  std::string url{};
  std::string shown{};           // without the query
  bool on_this_machine = false;  // or at the end of a tunnel that begins here
  bool in_clear = false;         // unencrypted, and not to this machine
};

}  // namespace parlance::app
