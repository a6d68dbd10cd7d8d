// SPDX-License-Identifier: Apache-2.0
// Reads and writes gob's numbers: every value consists of unsigned integers of 1 to 9 bytes. A uint below 128 is a single byte;
// otherwise a byte 256 - n and n bytes big-endian. An int is a uint with the sign in bit 0. A float is its IEEE double with
// reversed bytes, because the low bytes are usually zero. Any thread.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "parlance/base/bytes.h"

namespace parlance::gob {

// Reads from the front of a view and keeps the first fault. After a fault, every read returns false.
class Cursor {
 public:
  Cursor() = default;
  explicit Cursor(BytesView bytes) : begin_(bytes.data()), at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool read_uint(std::uint64_t& out) {
    if (at_ == end_) [[unlikely]]
      return fail("unexpected EOF");
    const auto first = static_cast<unsigned char>(*at_);
    if (first < 128) [[likely]] {
      ++at_;
      out = first;
      return true;
    }
    if (first == 0xff && left() >= 2) {  // One byte follows: lengths of 128 to 255.
      out = static_cast<unsigned char>(at_[1]);
      at_ += 2;
      return true;
    }
    return read_wide(first, out);
  }
  bool read_int(std::int64_t& out) {
    std::uint64_t bits = 0;
    if (!read_uint(bits)) return false;
    out = static_cast<std::int64_t>((bits & 1) != 0 ? ~(bits >> 1) : bits >> 1);
    return true;
  }
  bool read_double(double& out) {
    std::uint64_t bits = 0;
    if (!read_uint(bits)) return false;
    out = std::bit_cast<double>(std::byteswap(bits));
    return true;
  }
  // A length and this number of bytes. The view points into the cursor's input.
  bool read_bytes(BytesView& out) {
    std::uint64_t size = 0;
    if (!read_uint(size)) return false;
    if (size > left()) [[unlikely]]
      return fail("gob: length of a string or of bytes exceeds the message");
    out = BytesView(at_, static_cast<std::size_t>(size));
    at_ += size;
    return true;
  }

  bool fail(const char* what) {
    if (fault_ == nullptr) fault_ = what;
    at_ = end_;
    return false;
  }
  const char* fault() const { return fault_; }
  std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }
  bool at_end() const { return at_ == end_; }
  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
  BytesView rest() const { return {at_, left()}; }

 private:
  bool read_wide(unsigned first, std::uint64_t& out);

  const char* begin_ = nullptr;
  const char* at_ = nullptr;
  const char* end_ = nullptr;
  const char* fault_ = nullptr;
};

constexpr std::uint64_t int_bits(std::int64_t value) {
  return value < 0 ? (~static_cast<std::uint64_t>(value) << 1) | 1 : static_cast<std::uint64_t>(value) << 1;
}
inline std::uint64_t double_bits(double value) { return std::byteswap(std::bit_cast<std::uint64_t>(value)); }

constexpr std::size_t uint_size(std::uint64_t value) {
  return value < 128 ? 1 : 1 + static_cast<std::size_t>((std::bit_width(value) + 7) / 8);
}
// Writes exactly uint_size(value) bytes and returns the position after them.
inline char* put_uint(char* to, std::uint64_t value) {
  if (value < 128) {
    *to = static_cast<char>(value);
    return to + 1;
  }
  const std::size_t bytes = uint_size(value) - 1;
  *to++ = static_cast<char>(256 - bytes);
  for (std::size_t i = bytes; i-- > 0;) *to++ = static_cast<char>(value >> (8 * i));
  return to;
}

void write_wide_uint(std::string& out, std::uint64_t value);
inline void write_uint(std::string& out, std::uint64_t value) {
  if (value < 128) out.push_back(static_cast<char>(value));
  else write_wide_uint(out, value);  // Separate, to keep the usual case small enough for inlining.
}
inline void write_int(std::string& out, std::int64_t value) { write_uint(out, int_bits(value)); }
inline void write_double(std::string& out, double value) { write_uint(out, double_bits(value)); }
inline void write_bytes(std::string& out, BytesView bytes) {
  write_uint(out, bytes.size());
  out.append(bytes);
}

}  // namespace parlance::gob
