// SPDX-License-Identifier: Apache-2.0
// What came over the wire, as it came, beside what was made of it. Sans-I/O; loop thread only.
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
  bool is_control = false;     // a line that begins with //
  std::string message_type{};  // control, response, "method:session/update", text
  std::string raw_data{};
  std::optional<json::Value> json_data{};
  std::optional<Error> fault{};             // of what is neither: ErrorKind::json_decode, and where
  std::optional<Message> parsed_message{};  // what a receiver of messages hears of it, if anything
  WallTime timestamp{};
};

struct ProtocolStats {  // of all that came since the beginning
  std::uint64_t total_messages = 0;
  std::map<std::string, std::uint64_t> message_types{};
  std::uint64_t control_messages = 0;
  std::uint64_t json_messages = 0;
  std::uint64_t text_messages = 0;  // neither
  std::uint64_t errors = 0;         // replies that are one
  std::uint64_t forgotten = 0;      // no longer in the history: it keeps the newest
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
