// SPDX-License-Identifier: Apache-2.0
#include "parlance/memory/text/characters.h"

#include <gtest/gtest.h>

#include "parlance/base/utf8.h"

namespace parlance::memory {
namespace {

TEST(NextCharacter, ReadsEveryCodePointAndMovesOn) {
  for (char32_t c = 1; c <= 0x10FFFF; c += c < 0x3000 ? 1 : 0x3F) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, c);
    text += 'z';
    std::size_t at = 0;
    ASSERT_EQ(next_character(text, at), c);
    ASSERT_EQ(at, text.size() - 1);
  }
}

TEST(NextCharacter, AnInvalidByteIsReadSingly) {
  for (const std::string_view bad :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xC3", "\xC3z", "\xE0\x80\x80", "\xE4\xB8", "\xE4\xB8z", "\xED\xA0\x80",
        "\xF0\x80\x80\x80", "\xF0\x9F\x98", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF"}) {
    std::size_t at = 0;
    EXPECT_EQ(next_character(bad, at), char32_t{0xFFFD});
    EXPECT_EQ(at, 1U);
  }
}

TEST(NextCharacter, AnyBytesComeToTheirEnd) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += static_cast<char>((i * 7919 + i / 3) & 0xFF);
  std::size_t at = 0;
  std::size_t steps = 0;
  for (; at < text.size(); ++steps) next_character(text, at);
  EXPECT_EQ(at, text.size());
  EXPECT_LE(steps, text.size());
}

TEST(Folded, CaseAccentsAndWidthDoNotCount) {
  EXPECT_EQ(folded("ABCxyz019"), "abcxyz019");
  EXPECT_EQ(folded("\xC3\x89\xC3\xA9\xC3\x9F\xC3\x86\xC3\xB8"), "eessaeo");  // Éé ß Æ ø
  EXPECT_EQ(folded("\xC5\x81\xC3\xB3\xC4\x91\xC5\xBC"), "lodz");             // Łó đ ż
  EXPECT_EQ(folded("\xE1\xBA\xBF\xE1\xBB\xA5\xE1\xBB\xB9"), "euy");          // Vietnamese ế ụ ỹ
  EXPECT_EQ(folded("\xEF\xBC\xA1\xEF\xBD\x9A\xEF\xBC\x91"), "az1");          // Ａｚ１
  EXPECT_EQ(folded("\xEF\xBD\xB1"), "\xE3\x82\xA2");                         // ｱ as ア
  EXPECT_EQ(folded("e\xCC\x81"), "e") << "a combining accent says nothing";
}

TEST(Folded, GreekAndCyrillicHaveTheirOwnAccents) {
  EXPECT_EQ(folded("\xCE\x86\xCE\xAC\xCE\x91"), "\xCE\xB1\xCE\xB1\xCE\xB1");  // Ά ά Α
  EXPECT_EQ(folded("\xCF\x82\xCF\x83\xCE\xA3"), "\xCF\x83\xCF\x83\xCF\x83") << "the last sigma of a word is one";
  EXPECT_EQ(folded("\xD0\x81\xD1\x91\xD0\x95"), "\xD0\xB5\xD0\xB5\xD0\xB5");  // Ё ё Е
  EXPECT_EQ(folded("\xD0\x99\xD0\xB9"), "\xD0\xB8\xD0\xB8");                  // Й й
}

TEST(Folded, TraditionalChineseCountsAsSimplified) {
  EXPECT_EQ(folded("\xE8\xB3\x87"), folded("\xE8\xB5\x84"));  // 資 资
  EXPECT_EQ(folded("\xE4\xB8\xAD"), "\xE4\xB8\xAD");
}

TEST(ScriptOf, EveryCharacterHasAKind) {
  EXPECT_EQ(script_of(U'a'), Script::letter);
  EXPECT_EQ(script_of(U'7'), Script::digit);
  EXPECT_EQ(script_of(U'_'), Script::separator);
  EXPECT_EQ(script_of(0xFF17), Script::digit);
  EXPECT_EQ(script_of(0x301), Script::mark);
  EXPECT_EQ(script_of(0x200D), Script::mark) << "a joiner";
  EXPECT_EQ(script_of(0x2014), Script::separator) << "a dash";
  EXPECT_EQ(script_of(0x4E2D), Script::han);
  EXPECT_EQ(script_of(0x3007), Script::han) << "zero";
  EXPECT_EQ(script_of(0x20000), Script::han);
  EXPECT_EQ(script_of(0x3042), Script::hiragana);
  EXPECT_EQ(script_of(0x30A2), Script::katakana);
  EXPECT_EQ(script_of(0xFF71), Script::katakana);
  EXPECT_EQ(script_of(0x30FB), Script::separator) << "the middle dot";
  EXPECT_EQ(script_of(0xAC00), Script::hangul);
  EXPECT_EQ(script_of(0x3002), Script::separator) << "the full stop";
  EXPECT_EQ(script_of(0x1F600), Script::letter) << "an emoji is a word of its own";
  EXPECT_EQ(script_of(0xFFFD), Script::separator) << "invalid UTF-8";
}

}  // namespace
}  // namespace parlance::memory
