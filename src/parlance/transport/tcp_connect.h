// SPDX-License-Identifier: Apache-2.0
// Connecting to a TCP port, by name or number. Loop thread only.
#pragma once

#include <memory>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/transport/byte_stream.h"

namespace parlance {

// Tries the addresses of `host` one after the other. Destroying the task gives up; a deadline is the caller's (with_deadline).
// Errors: disconnected; the text names host, port and the error of the last address.
Task<Result<std::unique_ptr<ByteStream>>> tcp_connect(Loop& loop, std::string host, unsigned short port);

}  // namespace parlance
