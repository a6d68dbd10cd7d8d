// SPDX-License-Identifier: Apache-2.0
// Both ends of a connected pair of byte streams in memory: the base of tests, with or without virtual time.
#pragma once

#include <memory>
#include <utility>

#include "parlance/async/loop.h"
#include "parlance/transport/byte_stream.h"

namespace parlance {

struct MemoryOptions {
  bool one_byte_reads = false;      // Short reads are where framings break.
  std::size_t capacity = 64 << 10;  // Bytes in flight each way before a writer waits: a pipe's.
};

std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> memory_pair(Loop& loop, MemoryOptions options = {});

}  // namespace parlance
