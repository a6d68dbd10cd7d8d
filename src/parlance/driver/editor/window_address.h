// SPDX-License-Identifier: Apache-2.0
// Where an editor's window listens for programs of its terminal, as it tells them in their environment. Values; any thread.
#pragma once

#include <optional>
#include <string>

#include "parlance/base/result.h"

namespace parlance::driver {

struct WindowAddress {
  std::string socket{};  // "unix:/path", "tcp:127.0.0.1:PORT"
  std::string token{};   // what shows a TCP listener that this user asks
};

// Errors: invalid_params when it is no such address, or TCP without a token; denied when it leads out of this machine.
Result<WindowAddress> window_address(std::string socket, std::string token);

// Of PARLANCE_EDITOR_SOCKET and PARLANCE_EDITOR_TOKEN; nothing when there is no window. Errors: as above.
Result<std::optional<WindowAddress>> announced_window();

}  // namespace parlance::driver
