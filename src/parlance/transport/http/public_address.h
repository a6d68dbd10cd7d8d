// SPDX-License-Identifier: Apache-2.0
// Whether an address is one of the internet, and not of this machine, its network, or a use of its own. Any thread.
#pragma once

#include <sys/socket.h>

namespace parlance {

// IPv4 and IPv6, also IPv4 inside of IPv6; any other family is not public.
bool is_public(const sockaddr& address);

}  // namespace parlance
