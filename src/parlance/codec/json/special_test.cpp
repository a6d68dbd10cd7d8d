// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/json/special.h"

#include <string>

#include <gtest/gtest.h>

namespace parlance::json {
namespace {

const char* found_in(const std::string& text) { return find_special(text.data(), text.data() + text.size()); }

// Lengths around 8 and 16 take each of the ways through: sixteen bytes at once, eight, one.
TEST(FindSpecial, FindsTheFirstByteAtEveryPlaceOfEveryLength) {
  for (std::size_t length = 0; length <= 50; ++length) {
    const std::string plain(length, 'x');
    EXPECT_EQ(found_in(plain), plain.data() + length);
    for (std::size_t place = 0; place < length; ++place) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text = plain;
        text[place] = static_cast<char>(byte);
        const bool special = byte < 0x20 || byte == '"' || byte == '\\';
        ASSERT_EQ(found_in(text), text.data() + (special ? place : length))
            << "byte " << byte << " at " << place << " of " << length;
      }
    }
  }
}

TEST(FindSpecial, BytesBehindTheFirstDoNotHideIt) {
  const std::string ends = "\"\\\x1f\x01\x7f\x80\xff!";
  for (const char second : ends)
    for (std::size_t place = 0; place < 20; ++place) {
      std::string text(24, 'x');
      text[place] = '"';
      text[place + 1] = second;
      ASSERT_EQ(found_in(text), text.data() + place);
    }
}

}  // namespace
}  // namespace parlance::json
