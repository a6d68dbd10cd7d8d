// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/numbers.h"

namespace parlance::gob {

bool Cursor::read_wide(unsigned first, std::uint64_t& out) {
  const std::size_t bytes = 256 - first;
  if (bytes > 8) return fail("gob: encoded unsigned integer out of range");
  if (bytes > left() - 1) return fail("unexpected EOF");
  ++at_;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value = value << 8 | static_cast<unsigned char>(*at_++);
  out = value;  // Overlong forms are accepted, like in Go.
  return true;
}

void write_wide_uint(std::string& out, std::uint64_t value) {
  if (value < 256) {  // the reader distinguishes this form, too
    out.append({'\xff', static_cast<char>(value)});
    return;
  }
  char bytes[9];
  out.append(bytes, static_cast<std::size_t>(put_uint(bytes, value) - bytes));
}

}  // namespace parlance::gob
