// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/gob/numbers.h"

#include <cmath>
#include <limits>

#include "parlance/codec/gob/test_messages.h"

namespace parlance::gob {
namespace {

using namespace test;

TEST(Numbers, BytesAreThoseOfGo) {
  EXPECT_EQ(to_hex(u(127)), "7f");
  EXPECT_EQ(to_hex(u(128)), "ff80");
  EXPECT_EQ(to_hex(u(256)), "fe0100");
  EXPECT_EQ(to_hex(u(~std::uint64_t{0})), "f8ffffffffffffffff");
  EXPECT_EQ(to_hex(i(0)), "00");
  EXPECT_EQ(to_hex(i(1)), "02");
  EXPECT_EQ(to_hex(i(-1)), "01");
  EXPECT_EQ(to_hex(i(63)), "7e");
  EXPECT_EQ(to_hex(i(64)), "ff80");
  EXPECT_EQ(to_hex(i(-64)), "7f");
  EXPECT_EQ(to_hex(i(-65)), "ff81");
  EXPECT_EQ(to_hex(i(std::numeric_limits<std::int64_t>::min())), "f8ffffffffffffffff");
  EXPECT_EQ(to_hex(i(std::numeric_limits<std::int64_t>::max())), "f8fffffffffffffffe");
  EXPECT_EQ(to_hex(f(1)), "fef03f");
  EXPECT_EQ(to_hex(f(17)), "fe3140");
  EXPECT_EQ(to_hex(f(-2.5)), "fe04c0");
  EXPECT_EQ(to_hex(f(0.7)), "f8666666666666e63f");
  EXPECT_EQ(to_hex(f(1e300)), "f89c7500883ce4377e");
  EXPECT_EQ(to_hex(f(static_cast<double>(0.7F))), "fb606666e63f");
}

TEST(Numbers, EveryWidthReadsBack) {
  for (int bits = 0; bits < 64; ++bits) {
    for (const std::uint64_t value : {(std::uint64_t{1} << bits) - 1, std::uint64_t{1} << bits, (std::uint64_t{1} << bits) + 1}) {
      EXPECT_EQ(u(value).size(), uint_size(value));
      const std::string text = u(value);
      Cursor cursor(text);
      std::uint64_t back = 0;
      ASSERT_TRUE(cursor.read_uint(back));
      EXPECT_EQ(back, value);
      EXPECT_TRUE(cursor.at_end());
      for (const auto number : {static_cast<std::int64_t>(value), -static_cast<std::int64_t>(value >> 1)}) {
        const std::string signed_text = i(number);
        Cursor signed_cursor(signed_text);
        std::int64_t signed_back = 0;
        ASSERT_TRUE(signed_cursor.read_int(signed_back));
        EXPECT_EQ(signed_back, number);
      }
    }
  }
}

TEST(Numbers, LongFormsAreReadAndOverlongFormsAreNot) {
  std::uint64_t value = 0;
  EXPECT_TRUE(Cursor(BytesView("\xfe\x00\x05", 3)).read_uint(value));
  EXPECT_EQ(value, 5U);
  Cursor wide(BytesView("\xf7\1\1\1\1\1\1\1\1\1", 10));
  EXPECT_FALSE(wide.read_uint(value));
  EXPECT_STREQ(wide.fault(), "gob: encoded unsigned integer out of range");
  Cursor truncated(BytesView("\xfe\x01", 2));
  EXPECT_FALSE(truncated.read_uint(value));
  EXPECT_STREQ(truncated.fault(), "unexpected EOF");
}

TEST(SplitMessage, FindsTheMessageOneByteAtATime) {
  const std::string stream = message_of("abc") + message_of(std::string(300, 'x')) + message_of("");
  std::vector<std::string> found;
  std::string buffer;
  for (const char byte : stream) {
    buffer += byte;
    const Split split = split_message(buffer);
    if (split.state == Split::State::need_more) continue;
    ASSERT_EQ(split.state, Split::State::message);
    ASSERT_EQ(split.consumed, buffer.size());
    found.emplace_back(split.message);
    buffer.clear();
  }
  EXPECT_EQ(found, (std::vector<std::string>{"abc", std::string(300, 'x'), ""}));
  EXPECT_TRUE(buffer.empty());
}

TEST(SplitMessage, ReportsTheMissingBytes) {
  EXPECT_EQ(split_message("").wanted, 0U);
  EXPECT_EQ(split_message("\xff").wanted, 0U);
  EXPECT_EQ(split_message("\x05"
                          "ab")
                .wanted,
            6U);
  EXPECT_EQ(split_message("\xff\xc8").wanted, 202U);
}

TEST(SplitMessage, RefusesLengthsAtOnce) {
  EXPECT_EQ(split_message(u(101), 100).state, Split::State::too_long);
  EXPECT_EQ(split_message(u(100), 100).state, Split::State::need_more);
  EXPECT_EQ(split_message(u(1ULL << 33)).state, Split::State::too_long);
  EXPECT_EQ(split_message(u(~0ULL)).state, Split::State::too_long);
  EXPECT_EQ(split_message(u(1ULL << 33) + "rest").consumed, 6U);
  EXPECT_EQ(split_message(u(1ULL << 33) + "rest").wanted, 1ULL << 33);
  EXPECT_EQ(split_message("\xf7").state, Split::State::bad_length);
  EXPECT_EQ(split_message("\x80").state, Split::State::bad_length);
}

}  // namespace
}  // namespace parlance::gob
