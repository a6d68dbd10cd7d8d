// SPDX-License-Identifier: Apache-2.0
// Where one gob message ends and the next begins: a uint byte count, then that many bytes. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "parlance/base/bytes.h"
#include "parlance/codec/gob/limits.h"

namespace parlance::gob {

struct Split {
  enum class State : std::uint8_t {
    need_more,   // the message is not whole yet; `wanted` says how many bytes it takes in all, 0 while that is unknown
    message,     // `message` is whole, without its length; `consumed` bytes of the buffer are used up
    too_long,    // the announced length, `wanted`, is over the limit; `consumed` are its own bytes. (Go drops a length of 2^33 or
                 // more and reads on behind it, since nobody sends that much.)
    bad_length,  // no length at all: an integer of more than 8 bytes. The stream is lost.
  };
  State state = State::need_more;
  BytesView message{};  // points into the buffer
  std::size_t consumed = 0;
  std::uint64_t wanted = 0;
};

// Finds the first message in buffered bytes. Looks at the length alone, so it may be called again for every byte that comes.
Split split_message(BytesView buffered, std::size_t most_bytes = limits::gob_message_bytes);

}  // namespace parlance::gob
