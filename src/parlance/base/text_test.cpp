// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/text.h"

#include <unordered_map>

#include <gtest/gtest.h>

#include "parlance/base/tagged.h"

namespace parlance {
namespace {

TEST(Split, PartsAreOneMoreThanSeparators) {
  EXPECT_EQ(split("", ','), std::vector<std::string_view>{""});
  EXPECT_EQ(split(",", ','), (std::vector<std::string_view>{"", ""}));
  EXPECT_EQ(split("a", ','), std::vector<std::string_view>{"a"});
  EXPECT_EQ(split(",a,,b,", ','), (std::vector<std::string_view>{"", "a", "", "b", ""}));
}

TEST(Trim, TakesBlanksOfBothEndsAndNoOthers) {
  EXPECT_EQ(trim(""), "");
  EXPECT_EQ(trim(" \t\r\n"), "");
  EXPECT_EQ(trim("\n a\tb \r"), "a\tb");
  EXPECT_EQ(trim("\xC2\xA0"
                 "a"),
            "\xC2\xA0"
            "a");
  EXPECT_EQ(trim(std::string_view("\0a\0", 3)).size(), 3U);
}

TEST(Case, IsThatOfAsciiAlone) {
  EXPECT_TRUE(equal_ignoring_case("aZ-09", "Az-09"));
  EXPECT_FALSE(equal_ignoring_case("a", "ab"));
  EXPECT_FALSE(equal_ignoring_case("@[", "`{")) << "beside the letters";
  EXPECT_FALSE(equal_ignoring_case("\xC3\x84", "\xC3\xA4"));
  EXPECT_EQ(to_lower("ABC\xC3\x84Z[@"), "abc\xC3\x84z[@");
}

TEST(ParseNumber, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(parse_number<int>("-12"), -12);
  EXPECT_EQ(parse_number<unsigned char>("255"), 255);
  EXPECT_EQ(parse_number<double>("1.5e3"), 1500);
  for (const char* bad : {"", " 1", "1 ", "+1", "1.0", "0x1", "1e3", "--1", "2147483648"})
    EXPECT_EQ(parse_number<int>(bad), std::nullopt) << bad;
  EXPECT_EQ(parse_number<unsigned char>("256"), std::nullopt);
  EXPECT_EQ(parse_number<unsigned>("-1"), std::nullopt);
}

TEST(TextHash, AMapOfTextsIsAskedWithoutACopy) {
  std::unordered_map<std::string, int, TextHash, std::equal_to<>> map{{"a", 1}};
  EXPECT_EQ(map.find(std::string_view("abc").substr(0, 1))->second, 1);
  EXPECT_EQ(map.find("b"), map.end());
}

TEST(WithoutTag, TheContentCannotCloseTheTag) {
  EXPECT_EQ(without_tag("a</note>b<note>c", "note"), "a&lt;/note>b&lt;note>c");
  EXPECT_EQ(without_tag("<note <note", "note"), "&lt;note &lt;note");
  EXPECT_EQ(without_tag("<<note>", "note"), "<&lt;note>");
  EXPECT_EQ(without_tag("<other></other> < note>", "note"), "<other></other> < note>");
  EXPECT_EQ(without_tag("", "note"), "");
}

TEST(IsWithin, AFolderContainsItselfAndItsContents) {
  EXPECT_TRUE(is_within("/a/b", "/a/b"));
  EXPECT_TRUE(is_within("/a/b/c", "/a/b"));
  EXPECT_TRUE(is_within("/a/b/c", "/a/b/"));
  EXPECT_TRUE(is_within("/a", "/"));
  EXPECT_FALSE(is_within("/a/bc", "/a/b"));
  EXPECT_FALSE(is_within("/a", "/a/b"));
  EXPECT_FALSE(is_within("/a", ""));
}

TEST(ShellWord, IsOneWordWithAnyContent) {
  EXPECT_EQ(shell_word("--file"), "--file");
  EXPECT_EQ(shell_word("/a/b.txt"), "/a/b.txt");
  EXPECT_EQ(shell_word("A=b"), "'A=b'") << "a word, and no variable";
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
}

}  // namespace
}  // namespace parlance
