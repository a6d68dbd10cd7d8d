// SPDX-License-Identifier: Apache-2.0
// The listening sockets of a server: one, or one for each loopback family if programs may take `localhost` for either. For the
// .cpp files of this folder only. Any thread.
#pragma once

#include <vector>

#include "parlance/base/result.h"
#include "parlance/base/uri.h"

namespace parlance {

struct ListeningSockets {
  std::vector<int> fds{};   // Owned by the caller; non-blocking.
  unsigned short port = 0;  // Port of all sockets; the real port, also for a requested port of 0.
};

// Blocks while a name is resolved: names to listen on are numbers or "localhost". With `both_loopbacks`, a loopback address also
// binds the other family, unless another program has it.
Result<ListeningSockets> listen_on(const HostPort& address, bool both_loopbacks);

}  // namespace parlance
