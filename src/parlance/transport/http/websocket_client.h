// SPDX-License-Identifier: Apache-2.0
// Connecting to a WebSocket server. Loop thread only.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "parlance/async/loop.h"
#include "parlance/transport/http/http_client.h"
#include "parlance/transport/http/websocket_frames.h"

namespace parlance {

struct WebSocketClientSettings {
  std::string url{};                                  // ws://… or wss://…
  std::vector<HttpHeader> headers{};                  // Authorization, Origin, …
  std::vector<std::string> subprotocols{};            // in the order of preference
  std::chrono::milliseconds connect_timeout{10'000};  // for all up to the upgrade
  std::size_t message_bytes = 16 << 20;
  std::chrono::milliseconds ping{30'000};
  bool verify_certificate = true;
  bool gathers = false;   // input that pours in may wait a moment, so that it comes in fewer reads (gathering_stream.h)
  std::string ca_file{};  // trusted besides the system's certificates
};

// Errors: invalid_request (the URL), disconnected (cannot connect), deadline_exceeded, denied (401, 403, an untrusted certificate),
// not_found (404), overloaded (429, 503), failed (any other answer but an upgrade); the text holds the beginning of the answer's body.
// Proxies are not used: what is reached this way runs on this machine or beside it.
Task<Result<std::unique_ptr<WebSocketFrames>>> connect_websocket(Loop& loop, WebSocketClientSettings settings);

}  // namespace parlance
