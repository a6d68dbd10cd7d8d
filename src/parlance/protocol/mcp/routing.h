// SPDX-License-Identifier: Apache-2.0
// The JSON-RPC dialect of MCP, with the route of each outgoing frame: over HTTP, a reply and all messages of its handler belong
// to the answer of their request. Sans-I/O; loop thread only.
#pragma once

#include <memory>

#include "parlance/peer/dialect.h"

namespace parlance::mcp {

// Route of the composed frame. Written by the dialect, read by the frames.
struct Route {
  enum class What : std::uint8_t { request, reply, notice };
  What what = What::notice;
  RequestId id{};          // A reply: its request; our own request: its id.
  RequestId belongs_to{};  // Requests and notices: the causing request, if any. Set by the sender.
  long error_code = 0;     // Of an error reply.
};

std::unique_ptr<Dialect> dialect(std::shared_ptr<Route> route = nullptr);

}  // namespace parlance::mcp
