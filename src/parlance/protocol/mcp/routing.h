// SPDX-License-Identifier: Apache-2.0
// The JSON-RPC dialect as MCP uses it, and where each frame that goes out belongs: over HTTP a reply and whatever a handler sends
// meanwhile leave on the answer to the request they belong to. Sans-I/O; loop thread only.
#pragma once

#include <memory>

#include "parlance/peer/dialect.h"

namespace parlance::mcp {

// Of the frame that is being composed. Shared by the dialect, which fills it in, and the frames, which read it.
struct Route {
  enum class What : std::uint8_t { request, reply, notice };
  What what = What::notice;
  RequestId id{};          // a reply: to what; our own request: its id
  RequestId belongs_to{};  // requests and notices: sent on behalf of this one, if of any (set by whoever sends)
  long error_code = 0;     // of an error reply
};

std::unique_ptr<Dialect> dialect(std::shared_ptr<Route> route = nullptr);

}  // namespace parlance::mcp
