// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/sha256.h"

#include <gtest/gtest.h>

namespace parlance {
namespace {

// FIPS 180-4 examples.
TEST(Sha256, AgreesWithThePublishedExamples) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesOfAnySizeGiveTheSameAsTheWhole) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 7);
  const auto whole = Sha256().add(text).finish();
  for (std::size_t size = 1; size < 130; ++size) {
    Sha256 hash;
    for (std::size_t at = 0; at < text.size(); at += size) hash.add(std::string_view(text).substr(at, size));
    EXPECT_EQ(hash.finish(), whole) << size;
  }
}

}  // namespace
}  // namespace parlance
