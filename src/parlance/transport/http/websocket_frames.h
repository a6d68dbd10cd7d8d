// SPDX-License-Identifier: Apache-2.0
// WebSocket messages as frames, over any byte stream after its upgrade. Reads text and binary messages, writes text messages.
//
// For the reader, a close with 1000, 1001 or no code is a clean end (an empty batch). Any other code, a protocol violation, or
// an end without a close frame is an error with a text. close_code() has the number. Loop thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "parlance/transport/byte_stream.h"
#include "parlance/transport/frames.h"
#include "parlance/transport/http/websocket_codec.h"
#include "parlance/transport/limits.h"

namespace parlance {

// Receives the answer to a ping: the other side has read everything before the ping. May send frames, and may not destroy any
// object of the connection.
class PingDone {
 public:
  virtual void on_pong() = 0;

 protected:
  ~PingDone() = default;
};

// The messages of a WebSocket connection of either side, with pings and close codes. Loop thread only. The acceptor or connector
// owns it, and destroys it before the loop.
class WebSocketFrames : public Frames {
 public:
  // Drops binary messages from now on, for text protocols. Otherwise both kinds are read alike.
  virtual void only_text() = 0;
  // Sends a ping after the queued output. `done` receives its answer once, which arrives only during a read. One ping at a time:
  // a second ping replaces the first.
  virtual void ping(PingDone& done) = 0;
  virtual void stop_ping() = 0;  // No callback follows.
  // Sends the queue and a close frame, and ends. The reader sees a clean end. Codes: 1000, or 3000 to 4999 for applications.
  // Later frames are dropped. The destructor may follow at once (alone, it closes with 1001): a server's connection completes
  // the close.
  virtual void close_with(std::uint16_t code, std::string_view reason) = 0;

  virtual const std::string& subprotocol() const = 0;  // The agreed subprotocol. Empty: none.
  // Close code of the other side. 0: not closed yet; 1005: no code; 1006: the connection broke.
  virtual std::uint16_t close_code() const = 0;
  virtual const std::string& close_reason() const = 0;
};

struct WebSocketSettings {
  websocket::Role role = websocket::Role::client;
  std::string subprotocol{};
  std::size_t message_bytes = 16 << 20;
  std::chrono::milliseconds ping{30'000};  // 0: no pings. After two pings without an answer, the other side is gone.
  std::chrono::milliseconds stall = limits::stall;
  std::chrono::milliseconds close_grace{2'000};  // From our close frame to the end, with or without an answer.
  Bytes already_read{};                          // Bytes after the upgrade.
  Bytes send_first{};                            // The answer to the upgrade, sent with the first frames.
};

std::unique_ptr<WebSocketFrames> websocket_frames(Loop& loop, std::unique_ptr<ByteStream> stream, WebSocketSettings settings);

}  // namespace parlance
