// SPDX-License-Identifier: Apache-2.0
// Frames over a byte stream: a framing, a read buffer that follows the traffic, and an output that leaves once a turn.
#pragma once

#include <memory>

#include "parlance/transport/byte_stream.h"
#include "parlance/transport/frames.h"
#include "parlance/transport/framing.h"
#include "parlance/transport/limits.h"

namespace parlance {

struct FramedStreamSettings {
  std::size_t write_queue_bytes = limits::write_queue_bytes;
  std::chrono::milliseconds stall = limits::stall;  // zero: no limit (a person may sit at the other end)
  Bytes already_read{};                             // bytes that were read before the framing was known
};

// Owns the stream. A fatal framing error ends reading for good: the same bytes are never looked at again, and every later read is told
// the same. The output stays open for an answer; whoever read ends the connection.
std::unique_ptr<Frames> framed_stream(Loop& loop, std::unique_ptr<ByteStream> stream, std::unique_ptr<Framing> framing,
                                      FramedStreamSettings settings = {});

}  // namespace parlance
