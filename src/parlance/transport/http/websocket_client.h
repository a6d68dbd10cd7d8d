// SPDX-License-Identifier: Apache-2.0
// Connects to a WebSocket server. Loop thread only.
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
  std::vector<std::string> subprotocols{};            // In the order of preference.
  std::chrono::milliseconds connect_timeout{10'000};  // For all steps up to the upgrade.
  std::size_t message_bytes = 16 << 20;
  std::chrono::milliseconds ping{30'000};
  bool verify_certificate = true;
  bool gathers = false;   // Collects input during a flood, for fewer reads (gathering_stream.h).
  std::string ca_file{};  // Trusted in addition to the system's certificates.
};

// Errors: invalid_request (the URL), disconnected (no connection), deadline_exceeded, denied (401, 403, an untrusted
// certificate), not_found (404), overloaded (429, 503), failed (any other answer without an upgrade). The text has the beginning
// of the answer's body. Proxies are not used, because the server runs on this machine or nearby.
Task<Result<std::unique_ptr<WebSocketFrames>>> connect_websocket(Loop& loop, WebSocketClientSettings settings);

}  // namespace parlance
