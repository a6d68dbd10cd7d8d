// SPDX-License-Identifier: Apache-2.0
// The boundaries of gob messages: a uint byte count, then this number of bytes. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "parlance/base/bytes.h"
#include "parlance/codec/gob/limits.h"

namespace parlance::gob {

struct Split {
  enum class State : std::uint8_t {
    need_more,  // The message is incomplete. `wanted` is its total size, or 0 if unknown.
    message,    // `message` is complete, without its length. `consumed` bytes of the buffer are used.
    // The announced length `wanted` is above the limit. `consumed` counts the bytes of the length. (Go skips a length of 2^33 or
    // more and reads on behind it, because no sender sends this much.)
    too_long,
    bad_length,  // An invalid length: an integer of more than 8 bytes. The stream is lost.
  };
  State state = State::need_more;
  BytesView message{};  // Points into the buffer.
  std::size_t consumed = 0;
  std::uint64_t wanted = 0;
};

// Finds the first message in buffered bytes. Parses the length only, so repeated calls for each new byte are cheap.
Split split_message(BytesView buffered, std::size_t most_bytes = limits::gob_message_bytes);

}  // namespace parlance::gob
