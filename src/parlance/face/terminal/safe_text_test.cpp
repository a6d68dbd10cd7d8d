// What a model says must not steer the terminal, wherever the stream was cut.
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

TEST(SafeText, LeavesTextAlone) {
  constexpr std::string_view text = "grüß dich\n\t日本語 🙂 e\u0301\n";
  EXPECT_EQ(safe_text(text), text);
  EXPECT_EQ(byte_by_byte(text), text);
}
TEST(SafeText, EscapesBecomePictures) {
  EXPECT_EQ(safe_text("\x1b]0;title\x07"), "␛]0;title␇");
  EXPECT_EQ(safe_text("\x1b[2J\x1b]52;c;aGk=\x1b\\"), "␛[2J␛]52;c;aGk=␛\\");
  EXPECT_EQ(safe_text(std::string_view("a\0b", 3)), "a␀b");
  EXPECT_EQ(safe_text("del\x7f"), "del␡");
}
TEST(SafeText, C1ControlsAndTurnsOfDirectionAreReplaced) {
  EXPECT_EQ(safe_text("\u009b31m"), "\uFFFD31m");  // CSI in one character
  EXPECT_EQ(safe_text("a\u202Eb\u2066c"), "a\uFFFDb\uFFFDc");
  EXPECT_EQ(safe_text("a\u2028b"), "a\uFFFDb");
  EXPECT_EQ(safe_text("\x9b"
                      "31m"),
            "\uFFFD31m");  // the same as a bare byte, which some terminals take
}
TEST(SafeText, ACarriageReturnCannotWriteOverALine) {
  EXPECT_EQ(safe_text("one\r\ntwo"), "one\ntwo");
  EXPECT_EQ(safe_text("rm -rf /\rls"), "rm -rf /␍ls");
  EXPECT_EQ(safe_text("end\r"), "end␍");
}
TEST(SafeText, ALineStaysOne) { EXPECT_EQ(safe_line("a\nb\x1b"), "a␊b␛"); }
TEST(SafeText, TheSameWhereverItIsCut) {
  for (const std::string_view text :
       {"x\x1b[31mé日🙂\r\n\r\r\n", "\xF0\x9F\x99", "\xE6\x97X\xC3\xC3\xA9\xFF", "\xED\xA0\x80 \xF0\x80\x80\x80"}) {
    const std::string whole = safe_text(text);
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
TEST(SafeText, WhatIsCutIsHeldAndNotShownBroken) {
  SafeText stream;
  EXPECT_EQ(stream.feed("a\xE6\x97"), "a");
  EXPECT_EQ(stream.feed("\xA5"), "日");
}

}  // namespace
}  // namespace parlance::face
