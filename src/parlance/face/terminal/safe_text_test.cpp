// SPDX-License-Identifier: Apache-2.0
// A model's text must not control the terminal, for pieces of any size.
#include "parlance/face/terminal/safe_text.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "parlance/base/utf8.h"

namespace parlance::face {
namespace {

std::string byte_by_byte(std::string_view text) {
  SafeText stream;
  std::string out;
  for (const char c : text) out += stream.feed({&c, 1});
  return out + stream.finish();
}

std::string at_once(std::string_view text) {
  SafeText stream;
  std::string out = stream.feed(text);
  return out + stream.finish();
}

TEST(SafeText, OutputIsIndependentOfPieces) {
  for (const std::string_view text :
       {"x\x1b[31mé日🙂\r\n\r\r\n", "\xF0\x9F\x99", "\xE6\x97X\xC3\xC3\xA9\xFF", "\xED\xA0\x80 \xF0\x80\x80\x80", "rm\rls\r",
        "a\u202Eb \u2764\uFE0F\u200D\U0001F525\U000E0101\U000E0102", "\u009B31m\u00A0"}) {
    const std::string whole = at_once(text);
    EXPECT_EQ(whole, visible_text(text, Reading::prose));
    EXPECT_TRUE(is_valid_utf8(whole));
    EXPECT_EQ(byte_by_byte(text), whole);
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
      SafeText stream;
      std::string out = stream.feed(text.substr(0, cut));
      out += stream.feed(text.substr(cut));
      EXPECT_EQ(out + stream.finish(), whole) << "cut at " << cut;
    }
  }
}
TEST(SafeText, CutCharacterIsHeld) {
  SafeText stream;
  EXPECT_EQ(stream.feed("a\xE6\x97"), "a");
  EXPECT_EQ(stream.feed("\xA5"), "日");
}

}  // namespace
}  // namespace parlance::face
