// SPDX-License-Identifier: Apache-2.0
// A client that also keeps the unparsed frames. Loop thread only.
#pragma once

#include <deque>
#include <optional>
#include <utility>

#include "parlance/iflow/client.h"
#include "parlance/iflow/raw_stream.h"

namespace parlance::iflow {

class RawClient : public Client {
 public:
  explicit RawClient(Loop& loop, Options options = {}, bool capture_raw = true);
  ~RawClient() override;

  // The next unparsed frame; nothing after the end of the connection and the last frame. The history bounds the waiting frames: a
  // slow reader misses the oldest (ProtocolStats::forgotten). A reader of frames need not receive the messages.
  Task<std::optional<RawMessage>> receive_raw_message();
  // The same, with the parsed message.
  Task<std::optional<std::pair<RawMessage, std::optional<Message>>>> receive_dual();

  const std::deque<RawMessage>& raw_history() const { return raw_.history(); }
  const ProtocolStats& protocol_stats() const { return raw_.stats(); }

 protected:
  std::unique_ptr<Frames> wrapped(std::unique_ptr<Frames> frames) override;
  void on_end() override;

 private:
  void take(BytesView frame);

  bool capture_;
  bool ended_ = false;
  RawStream raw_;
  std::deque<RawMessage> waiting_;
  Signal arrived_;
};

}  // namespace parlance::iflow
