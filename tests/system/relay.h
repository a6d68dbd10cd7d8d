// SPDX-License-Identifier: Apache-2.0
// Connects two connections: all bytes of one go to the other, which is closed after the last byte.
#pragma once

#include <memory>
#include <string>

#include "parlance/transport/byte_stream.h"

namespace parlance::test {

inline Task<void> relay(std::shared_ptr<ByteStream> from, std::shared_ptr<ByteStream> to) {
  std::string buffer(64 << 10, '\0');
  for (;;) {
    const auto count = co_await read_some(*from, buffer);
    if (!count || *count == 0) break;
    if (!co_await write_all(*to, BytesView(buffer).substr(0, *count))) break;
  }
  to->close();
}

}  // namespace parlance::test
