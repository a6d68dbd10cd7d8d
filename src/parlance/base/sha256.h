// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4) for digests of content, without a cryptography library. Not for secrets: the time may depend on the content.
// An instance belongs to one thread at a time; the functions are for any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "parlance/base/bytes.h"

namespace parlance {

class Sha256 {
 public:
  Sha256& add(BytesView bytes);
  std::array<unsigned char, 32> finish();  // Call once, after the last `add`.

 private:
  void block(const unsigned char* at);
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t total_ = 0;
};

std::string sha256_hex(BytesView bytes);  // 64 lower-case digits.

}  // namespace parlance
