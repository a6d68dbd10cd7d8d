// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/message.h"

#include "parlance/codec/gob/numbers.h"

namespace parlance::gob {

Split split_message(BytesView buffered, std::size_t most_bytes) {
  using State = Split::State;
  if (buffered.empty()) return {};
  const auto first = static_cast<unsigned char>(buffered.front());
  const std::size_t length_bytes = first < 128 ? 1 : 1 + (256U - first);
  if (length_bytes > 9) return {.state = State::bad_length};
  if (buffered.size() < length_bytes) return {};

  Cursor cursor(buffered.substr(0, length_bytes));
  std::uint64_t size = 0;
  cursor.read_uint(size);
  if (size > most_bytes) return {.state = State::too_long, .consumed = length_bytes, .wanted = size};
  const auto whole = length_bytes + static_cast<std::size_t>(size);
  if (buffered.size() < whole) return {.wanted = whole};
  return {.state = State::message,
          .message = buffered.substr(length_bytes, static_cast<std::size_t>(size)),
          .consumed = whole,
          .wanted = whole};
}

}  // namespace parlance::gob
