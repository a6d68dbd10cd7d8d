// SPDX-License-Identifier: Apache-2.0
// The editor bridge on top of JSON-RPC: a JSON object in a line is a message if it has "jsonrpc":"2.0". Any other line is text:
// the agent's text is printed for the person, the editor's counts as typed. Text never ends the connection and is never
// answered. The bridge has codes of its own: -32002 rejected by the person, -32603 failure of a handler. Sans-I/O; loop thread
// only.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "parlance/peer/dialect.h"

namespace parlance::editor {

// Receives text lines. Called while a frame is decoded: must not destroy the peer.
struct DialectHandlers {
  std::function<void(std::string_view line)> text{};  // Without its end; a view into the frame.
  // DEBUG_AGENT: a log line for each sent and received message.
  std::function<void(std::string_view line)> diagnose{};
  bool contents = false;  // DEBUG_AGENT=2: with parameters and results, except the token of `initialize`.
};

std::unique_ptr<Dialect> dialect(DialectHandlers handlers = {});

}  // namespace parlance::editor
