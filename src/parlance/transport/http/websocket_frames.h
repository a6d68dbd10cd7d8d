// SPDX-License-Identifier: Apache-2.0
// WebSocket messages as frames, over any byte stream whose upgrade is done. Text and binary messages are both read as frames;
// written are text messages.
//
// How a connection ends for the reader: the other side's close with 1000, 1001 or no code is a clean end (an empty batch). Any other
// code, a broken rule or an end without a close frame is an error whose text names it; close_code() has the number.
// Loop thread only.
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

// Who hears that the other side has read all that was sent before a ping. Frames may be sent from inside, and none destroyed.
class PingDone {
 public:
  virtual void on_pong() = 0;

 protected:
  ~PingDone() = default;
};

// The messages of one WebSocket connection, whichever side began it, with what frames elsewhere do not have: pings and codes of closing.
// Loop thread only; owned by whoever accepted or connected, and destroyed before the loop.
class WebSocketFrames : public Frames {
 public:
  // Binary messages are dropped from now on, for protocols that are text. Otherwise both kinds are read alike.
  virtual void only_text() = 0;
  // Sends a ping behind what was sent; `done` hears of its answer once, which is seen only while somebody reads. One at a time: another
  // takes its place.
  virtual void ping(PingDone& done) = 0;
  virtual void stop_ping() = 0;  // nothing is called any more
  // Sends what is queued and a close frame, and ends; the reader sees a clean end. 1000, or 3000–4999 for applications. Later frames
  // are dropped. The destructor may follow at once (by itself it closes with 1001): a server's connection sees it through.
  virtual void close_with(std::uint16_t code, std::string_view reason) = 0;

  virtual const std::string& subprotocol() const = 0;  // what both agreed on, or ""
  // What the other side closed with: 0 while it has not, 1005 without a code, 1006 when it just went away.
  virtual std::uint16_t close_code() const = 0;
  virtual const std::string& close_reason() const = 0;
};

struct WebSocketSettings {
  websocket::Role role = websocket::Role::client;
  std::string subprotocol{};
  std::size_t message_bytes = 16 << 20;
  std::chrono::milliseconds ping{30'000};  // 0: none. Two of them without an answer: the other side is gone.
  std::chrono::milliseconds stall = limits::stall;
  std::chrono::milliseconds close_grace{2'000};  // From our close frame to the end, whether the other side answers or not.
  Bytes already_read{};                          // came behind the upgrade
  Bytes send_first{};                            // the answer to the upgrade, which leaves with the first frames
};

std::unique_ptr<WebSocketFrames> websocket_frames(Loop& loop, std::unique_ptr<ByteStream> stream, WebSocketSettings settings);

}  // namespace parlance
