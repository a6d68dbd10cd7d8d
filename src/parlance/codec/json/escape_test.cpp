// SPDX-License-Identifier: Apache-2.0
#include "parlance/codec/json/escape.h"

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace parlance::json {
namespace {

// Byte by byte, as the standard has it.
std::string expected(std::string_view text) {
  constexpr std::pair<char, const char*> short_forms[] = {{'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\r', "\\r"},
                                                          {'\t', "\\t"}, {'\b', "\\b"},  {'\f', "\\f"}};
  std::string out;
  for (const char c : text) {
    const char* form = nullptr;
    for (const auto& [special, escape] : short_forms)
      if (c == special) form = escape;
    if (form != nullptr) {
      out += form;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned char>(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out;
}

struct Escaped {
  std::string text;
  std::size_t taken = 0;  // bytes of the source
};

// Both buffers are as small as they may be, so that the sanitiser sees a byte read or written too far.
Escaped escape(std::string_view text, Accept accept) {
  const std::vector<char> source(text.begin(), text.end());
  std::vector<char> room(escaped_bytes * text.size() + escape_overrun_bytes);
  const char* from = source.data();
  const char* const end = put_escaped(room.data(), from, source.data() + source.size(), accept);
  return {{room.data(), static_cast<std::size_t>(end - room.data())}, static_cast<std::size_t>(from - source.data())};
}

// Lengths up to three blocks take each of the ways through: blocks, the last whole one, the rest.
TEST(PutEscaped, EveryByteAtEveryPlaceOfEveryLength) {
  for (std::size_t length = 1; length <= 50; ++length) {
    for (std::size_t place = 0; place < length; ++place) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string text(length, 'x');
        text[place] = static_cast<char>(byte);
        const Escaped all = escape(text, Accept::anything);
        ASSERT_EQ(all.text, expected(text)) << "byte " << byte << " at " << place << " of " << length;
        ASSERT_EQ(all.taken, length);
        const Escaped ascii = escape(text, Accept::ascii);
        const std::size_t taken = byte < 0x80 ? length : place;
        ASSERT_EQ(ascii.taken, taken) << "byte " << byte << " at " << place << " of " << length;
        ASSERT_EQ(ascii.text, expected(text.substr(0, taken)));
      }
    }
  }
}

TEST(PutEscaped, NothingBecomesNothing) {
  EXPECT_EQ(escape("", Accept::anything).text, "");
  EXPECT_EQ(escape("", Accept::ascii).taken, 0U);
}

TEST(PutEscaped, ATextOfNothingButSpecialBytesFitsIntoItsRoom) {
  for (const char special : {'"', '\\', '\n', '\x01', '\x1f'})
    for (std::size_t length = 1; length <= 100; ++length) {
      const std::string text(length, special);
      ASSERT_EQ(escape(text, Accept::anything).text, expected(text)) << int{special} << " times " << length;
    }
}

TEST(PutEscaped, MixturesOfAllKindsOfBytes) {
  std::mt19937 random(20260114);
  constexpr std::string_view frequent = "\"\\\n\t\x01\x1f\x7f\xC3\xA9 {}:,";
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 200, ' ');
    const unsigned plain = random() % 16;  // of sixteen bytes
    for (char& c : text)
      c = random() % 16 < plain ? static_cast<char>('a' + random() % 26) : frequent[random() % frequent.size()];
    ASSERT_EQ(escape(text, Accept::anything).text, expected(text)) << "round " << round;
    const Escaped ascii = escape(text, Accept::ascii);
    const std::size_t taken = std::min(text.find_first_of("\xC3\xA9"), text.size());
    ASSERT_EQ(ascii.taken, taken) << "round " << round;
    ASSERT_EQ(ascii.text, expected(text.substr(0, taken))) << "round " << round;
  }
}

}  // namespace
}  // namespace parlance::json
