// SPDX-License-Identifier: Apache-2.0
// Size and time limits of a server. Values.
#pragma once

#include <chrono>
#include <cstddef>

#include "parlance/transport/limits.h"

namespace parlance {

struct HttpServerSettings {
  std::size_t header_bytes = 16 << 10;
  std::size_t body_bytes = 64 << 20;                 // A larger body is answered with 413.
  std::chrono::milliseconds header_timeout{10'000};  // Against slow clients: from accept, or from the first byte of a request.
  std::chrono::milliseconds body_timeout{60'000};
  std::chrono::milliseconds idle_timeout{90'000};  // Between requests of a kept connection.
  std::size_t connections = 12'000;                // Further connections wait in the kernel's queue.
  // Limit of waiting connections without trust (HttpExchange::trust). Above it, the longest wait ends, and before `connections`
  // is full, any of them. A thousand strangers therefore cannot keep trusted clients out.
  std::size_t strangers = 1024;
  // Listens on loopback in both address families that the machine has, because "localhost" may mean either. Always done for the
  // name localhost.
  bool both_loopbacks = false;
  bool own_user_only = false;  // Refuses programs of other users (check_tcp_peer): for a server without a token.
  std::size_t websocket_message_bytes = 16 << 20;
  std::chrono::milliseconds websocket_ping{30'000};       // A page without an answer to a ping for two of these is gone.
  std::chrono::milliseconds write_stall = limits::stall;  // A client that takes no output for this time is closed.
  // Time for a handler to begin an answer after the client ended its output: the client may still read, or be gone.
  std::chrono::milliseconds half_close_grace{1'000};
};

}  // namespace parlance
