// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/sha1.h"

#include <gtest/gtest.h>

namespace parlance {
namespace {

std::string hex(BytesView bytes) {
  const auto digest = sha1(bytes);
  return to_hex({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

// FIPS 180-4's examples, RFC 3174's, and the lengths around the end of a block.
TEST(Sha1, HasTheKnownAnswers) {
  EXPECT_EQ(hex(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(hex(std::string(1'000'000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
  EXPECT_EQ(hex(std::string(55, 'a')), "c1c8bbdc22796e28c0e15163d20899b65621d65a");
  EXPECT_EQ(hex(std::string(56, 'a')), "c2db330f6083854c99d4b5bfb6e8f29f201be699");
  EXPECT_EQ(hex(std::string(64, 'a')), "0098ba824b5c16427bd7a1122a5a442a25ec644d");
}

}  // namespace
}  // namespace parlance
