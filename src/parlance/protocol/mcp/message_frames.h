// SPDX-License-Identifier: Apache-2.0
// Passes messages of the peer out with their route, for HTTP. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "parlance/protocol/mcp/routing.h"
#include "parlance/transport/message_frames.h"

namespace parlance::mcp {

class MessageFrames final : public parlance::MessageFrames {
 public:
  using Sink = std::function<void(const Route& route, std::string frame)>;
  // `sink` is called while the peer sends, and must not call the peer.
  MessageFrames(Loop& loop, std::string name, std::shared_ptr<Route> route, Sink sink)
      : parlance::MessageFrames(loop, std::move(name), [route = std::move(route), sink = std::move(sink)](std::string frame) {
          sink(*route, std::move(frame));
          route->belongs_to = {};
        }) {}
};

}  // namespace parlance::mcp
