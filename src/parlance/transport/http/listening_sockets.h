// SPDX-License-Identifier: Apache-2.0
// The sockets on which a server listens: one, or one for each loopback address where `localhost` is to be ours whichever of them a
// program takes it for. For the .cpp files of this folder only. Any thread.
#pragma once

#include <vector>

#include "parlance/base/result.h"
#include "parlance/base/uri.h"

namespace parlance {

struct ListeningSockets {
  std::vector<int> fds{};   // the caller's; they do not block
  unsigned short port = 0;  // of all of them; the real one, also when 0 was asked for
};

// Blocks for as long as a name takes to resolve: names to listen on are numbers or "localhost". With `both_loopbacks` a loopback address
// takes the other family's along, if nobody else has it there.
Result<ListeningSockets> listen_on(const HostPort& address, bool both_loopbacks);

}  // namespace parlance
