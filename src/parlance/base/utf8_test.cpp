// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/utf8.h"

#include <vector>

#include <gtest/gtest.h>

namespace parlance {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

std::string times(int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += replacement;
  return all;
}

TEST(ToValidUtf8, ValidTextStaysUnchanged) {
  for (const std::string_view text :
       {std::string_view(""), std::string_view("plain"), std::string_view("\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80"),
        std::string_view("\0", 1), std::string_view("\xEF\xBF\xBD")})
    EXPECT_EQ(to_valid_utf8(text), text);
}

TEST(ToValidUtf8, EachBadByteIsReplaced) {
  EXPECT_EQ(to_valid_utf8("a\xFF"
                          "b"),
            "a" + times(1) + "b");
  EXPECT_EQ(to_valid_utf8("\xE4\xB8"), times(2)) << "the beginning of a character that never ended";
  EXPECT_EQ(to_valid_utf8("\xE4\xB8z"), times(2) + "z");
  EXPECT_EQ(to_valid_utf8("\x80\xBF"), times(2)) << "the end of one that never began";
  EXPECT_EQ(to_valid_utf8("\xC0\xAF"), times(2)) << "overlong";
  EXPECT_EQ(to_valid_utf8("\xED\xA0\x80"), times(3)) << "a surrogate";
  EXPECT_EQ(to_valid_utf8("\xF4\x90\x80\x80"), times(4)) << "above U+10FFFF";
  EXPECT_EQ(to_valid_utf8("\xF0\x80\x80\x80"), times(4)) << "overlong, of four bytes";
}

TEST(ToValidUtf8, RepairedTextIsAlwaysValid) {
  for (int first = 0; first < 256; ++first)
    for (int second = 0; second < 256; second += 3) {
      const std::string text{static_cast<char>(first), static_cast<char>(second), 'x', static_cast<char>(second),
                             static_cast<char>(first)};
      ASSERT_TRUE(is_valid_utf8(to_valid_utf8(text))) << first << " " << second;
    }
}

TEST(AppendUtf8, CodePointsHaveUpToFourBytes) {
  const auto of = [](char32_t c) {
    std::string out;
    append_utf8(out, c);
    return out;
  };
  EXPECT_EQ(of(0), std::string(1, '\0'));
  EXPECT_EQ(of(0x7F), "\x7F");
  EXPECT_EQ(of(0x80), "\xC2\x80");
  EXPECT_EQ(of(0x7FF), "\xDF\xBF");
  EXPECT_EQ(of(0x800), "\xE0\xA0\x80");
  EXPECT_EQ(of(0xFFFF), "\xEF\xBF\xBF");
  EXPECT_EQ(of(0x10000), "\xF0\x90\x80\x80");
  EXPECT_EQ(of(0x10FFFF), "\xF4\x8F\xBF\xBF");
  for (const char32_t bad : {char32_t{0xD800}, char32_t{0xDFFF}, char32_t{0x110000}, char32_t{0xFFFFFFFF}})
    EXPECT_EQ(of(bad), replacement);
  for (const char32_t good : {char32_t{0x41}, char32_t{0xD7FF}, char32_t{0xE000}, char32_t{0x10FFFF}})
    EXPECT_TRUE(is_valid_utf8(of(good)));
}

TEST(Utf8Prefix, ThePrefixHasTheFullLength) {
  const std::string_view text = "a\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80";
  const std::size_t wanted[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (std::size_t bytes = 0; bytes < std::size(wanted); ++bytes)
    EXPECT_EQ(utf8_prefix(text, bytes).size(), wanted[bytes]) << bytes;
}

TEST(Utf8Prefix, CutsBetweenCharacters) {
  const std::string text = "aö€😀z";  // 1, 2, 3, 4 and 1 bytes
  const std::vector<std::string_view> expected{"", "a", "a", "aö", "aö", "aö", "aö€", "aö€", "aö€", "aö€", "aö€😀", text, text};
  for (std::size_t most = 0; most < expected.size(); ++most) EXPECT_EQ(utf8_prefix(text, most), expected[most]) << most;
}

TEST(Utf8Characters, AreCountedAndNotTheirBytes) {
  const std::string text = "aö€😀z";
  const std::vector<std::string_view> expected{"", "a", "aö", "aö€", "aö€😀", text, text};
  for (std::size_t most = 0; most < expected.size(); ++most) EXPECT_EQ(utf8_characters(text, most), expected[most]) << most;
  EXPECT_EQ(utf8_characters("", 0), "");
}

}  // namespace
}  // namespace parlance
