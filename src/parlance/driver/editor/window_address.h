// SPDX-License-Identifier: Apache-2.0
// The address of an editor's window for programs in its terminal, from their environment. Values; any thread.
#pragma once

#include <optional>
#include <string>

#include "parlance/base/result.h"

namespace parlance::driver {

struct WindowAddress {
  std::string socket{};  // "unix:/path", "tcp:127.0.0.1:PORT"
  std::string token{};   // proves to a TCP listener that this user connects
};

// Errors: invalid_params for an invalid address, or TCP without a token; denied for an address outside this machine.
Result<WindowAddress> window_address(std::string socket, std::string token);

// From PARLANCE_EDITOR_SOCKET and PARLANCE_EDITOR_TOKEN; no value without a window. Errors: as above.
Result<std::optional<WindowAddress>> announced_window();

}  // namespace parlance::driver
