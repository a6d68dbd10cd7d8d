// SPDX-License-Identifier: Apache-2.0
// How much and how long a server puts up with. Values.
#pragma once

#include <chrono>
#include <cstddef>

#include "parlance/transport/limits.h"

namespace parlance {

struct HttpServerSettings {
  std::size_t header_bytes = 16 << 10;
  std::size_t body_bytes = 64 << 20;                 // A longer body is answered 413.
  std::chrono::milliseconds header_timeout{10'000};  // Slow-loris: from accept, or from the request's first byte.
  std::chrono::milliseconds body_timeout{60'000};
  std::chrono::milliseconds idle_timeout{90'000};  // Between requests of a kept connection.
  std::size_t connections = 12'000;                // More wait in the kernel's queue.
  // Waiting ones whose client has not shown yet that it may be here (HttpExchange::trust): above it the one that waited longest goes,
  // and before `connections` is full any of them. A thousand strangers cannot keep out those who belong here.
  std::size_t strangers = 1024;
  // A loopback address is listened on in both families, as far as the machine has them: "localhost" may mean either. Always so for
  // the name localhost itself.
  bool both_loopbacks = false;
  std::size_t websocket_message_bytes = 16 << 20;
  std::chrono::milliseconds websocket_ping{30'000};       // A page that answers no ping for two of these is gone.
  std::chrono::milliseconds write_stall = limits::stall;  // A client that takes nothing for so long is closed.
  // A client that ended its output may still read the answer, or may be gone: a handler has so long to begin one.
  std::chrono::milliseconds half_close_grace{1'000};
};

}  // namespace parlance
