// SPDX-License-Identifier: Apache-2.0
// A stream whose reader lets input gather while it pours in. A program that writes each of ten thousand small messages by itself wakes its
// reader ten thousand times (twice for each message of the `ws` package, which writes head and body apart), and waking costs more than
// reading. After `streak` small reads in a row, none of them long after the one before and with nothing written between, the next ones are
// woken by `bytes` or after `pause`. Questions and answers, and words that come as a person reads, are not held up. Loop thread only.
#pragma once

#include <chrono>
#include <memory>

#include "parlance/async/loop.h"
#include "parlance/transport/byte_stream.h"

namespace parlance {

struct Gathering {
  int streak = 8;
  std::size_t bytes = 16 << 10;             // a read of as much has gathered by itself; a hundred messages
  std::chrono::microseconds pause{1000};    // below what a person or a page notices
  std::chrono::microseconds close_by{500};  // reads further apart than this are no flood
};

// Where `inner` cannot wait for a number of bytes, it is read as it comes.
std::unique_ptr<ByteStream> gathering_stream(Loop& loop, std::unique_ptr<ByteStream> inner, Gathering settings = {});

}  // namespace parlance
