// SPDX-License-Identifier: Apache-2.0
// The editor bridge on top of JSON-RPC: a line is a message if it is a JSON object with "jsonrpc":"2.0"; any other line is text, which one
// side prints for the person and the other takes for typed. Nothing that is text ends the connection, or is answered. Bridge messages have
// codes of their own: -32002 rejected by the person, -32603 whatever a handler failed with. Sans-I/O; loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "parlance/peer/dialect.h"

namespace parlance::editor {

// Who hears what is no message. Called while a frame is decoded: it must not destroy the peer.
struct DialectEars {
  std::function<void(std::string_view line)> text{};  // without its end; a view into the frame
  // DEBUG_AGENT: one line each of what is sent and received.
  std::function<void(std::string_view line)> diagnose{};
  bool contents = false;  // DEBUG_AGENT=2: parameters and results too, but for the token of `initialize`
};

std::unique_ptr<Dialect> dialect(DialectEars ears = {});

}  // namespace parlance::editor
