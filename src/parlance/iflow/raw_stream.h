// SPDX-License-Identifier: Apache-2.0
// The unparsed frames of a connection, with their parsed messages. Sans-I/O; loop thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parlance/base/bytes.h"
#include "parlance/base/clock.h"
#include "parlance/iflow/message_mapper.h"

namespace parlance::iflow {

struct RawMessage {
  bool is_control = false;     // a line with // at the beginning
  std::string message_type{};  // control, response, "method:session/update", text
  std::string raw_data{};
  std::optional<json::Value> json_data{};
  std::optional<Error> fault{};             // for a frame of neither kind: ErrorKind::json_decode, and the position
  std::optional<Message> parsed_message{};  // the resulting message, if any
  WallTime timestamp{};
};

struct ProtocolStats {  // totals since the beginning
  std::uint64_t total_messages = 0;
  std::map<std::string, std::uint64_t> message_types{};
  std::uint64_t control_messages = 0;
  std::uint64_t json_messages = 0;
  std::uint64_t text_messages = 0;  // neither
  std::uint64_t errors = 0;         // error replies
  std::uint64_t forgotten = 0;      // dropped from the history, which keeps the newest
};

class RawStream {
 public:
  // The next frame.
  const RawMessage& take(BytesView frame, WallTime now);
  const std::deque<RawMessage>& history() const { return history_; }
  const ProtocolStats& stats() const { return stats_; }

 private:
  std::optional<Message> parse(const json::Value& value);

  MessageMapper mapper_;
  std::deque<RawMessage> history_;
  std::size_t history_bytes_ = 0;
  ProtocolStats stats_;
};

}  // namespace parlance::iflow
