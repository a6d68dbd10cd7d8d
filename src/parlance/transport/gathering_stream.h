// SPDX-License-Identifier: Apache-2.0
// A stream that collects input during a flood of small messages. A program that writes ten thousand small messages separately
// wakes its reader ten thousand times (the `ws` package twice for each message), and wake-ups cost more than reading. After
// `streak` small reads in quick succession without a write, the following reads wake after `bytes` bytes or after `pause`. Calls
// with answers, and text at reading speed, are not delayed. Loop thread only.
#pragma once

#include <chrono>
#include <memory>

#include "parlance/async/loop.h"
#include "parlance/transport/byte_stream.h"

namespace parlance {

struct Gathering {
  int streak = 8;
  std::size_t bytes = 16 << 10;             // A larger read needs no collection: a hundred messages.
  std::chrono::microseconds pause{1000};    // Too short for a person or a page to notice.
  std::chrono::microseconds close_by{500};  // Reads with longer gaps are no flood.
};

// Without a wait for a number of bytes in `inner`, reads pass unchanged.
std::unique_ptr<ByteStream> gathering_stream(Loop& loop, std::unique_ptr<ByteStream> inner, Gathering settings = {});

}  // namespace parlance
