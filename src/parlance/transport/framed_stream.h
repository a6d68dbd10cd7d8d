// SPDX-License-Identifier: Apache-2.0
// Frames over a byte stream: a framing, a growing read buffer, and an output that is flushed once for each turn.
#pragma once

#include <memory>

#include "parlance/transport/byte_stream.h"
#include "parlance/transport/frames.h"
#include "parlance/transport/framing.h"
#include "parlance/transport/limits.h"

namespace parlance {

struct FramedStreamSettings {
  std::size_t write_queue_bytes = limits::write_queue_bytes;
  std::chrono::milliseconds stall = limits::stall;  // Zero: no limit, because a person may be at the other end.
  Bytes already_read{};                             // Bytes read before the framing was known.
};

// Owns the stream. A fatal framing error ends reading: the same bytes are never parsed again, and every later read returns the
// same error. The output stays open for an answer. The reader ends the connection.
std::unique_ptr<Frames> framed_stream(Loop& loop, std::unique_ptr<ByteStream> stream, std::unique_ptr<Framing> framing,
                                      FramedStreamSettings settings = {});

}  // namespace parlance
