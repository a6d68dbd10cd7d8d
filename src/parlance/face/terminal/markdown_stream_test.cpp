// SPDX-License-Identifier: Apache-2.0
// Markdown of a model in a terminal. Every case is fed whole, cut in two at every byte, and byte by byte: it must come out the same.
#include "parlance/face/terminal/markdown_stream.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace parlance::face {
namespace {

std::string shown(std::string_view text, bool colours = true) {
  MarkdownStream whole(colours);
  std::string expected = whole.feed(text);
  expected += whole.finish();
  MarkdownStream slow(colours);
  std::string out;
  for (const char c : text) out += slow.feed({&c, 1});
  EXPECT_EQ(out + slow.finish(), expected);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    MarkdownStream halves(colours);
    std::string joined = halves.feed(text.substr(0, cut));
    joined += halves.feed(text.substr(cut));
    EXPECT_EQ(joined + halves.finish(), expected) << "cut at " << cut;
  }
  return expected;
}
std::string plain(std::string_view text) { return shown(text, false); }

TEST(MarkdownStream, ProseIsLeftAlone) {
  EXPECT_EQ(shown("Hello, 世界.\n\n  indented\nlast"), "Hello, 世界.\n\n  indented\nlast");
  EXPECT_EQ(shown("\n\n"), "\n\n");
  EXPECT_EQ(shown(""), "");
}
TEST(MarkdownStream, ProseIsShownAsItComes) {
  MarkdownStream stream(true);
  EXPECT_EQ(stream.feed("Hel"), "Hel");
  EXPECT_EQ(stream.feed("lo `co"), "lo ");
  EXPECT_EQ(stream.feed("de` x"), "\x1b[36mcode\x1b[0m x");
}
TEST(MarkdownStream, Headings) {
  EXPECT_EQ(shown("## Title\ntext"), "\x1b[1mTitle\x1b[0m\ntext");
  EXPECT_EQ(plain("## Title\n"), "## Title\n");
  EXPECT_EQ(shown("#hash\n####### seven\n###"), "#hash\n####### seven\n###");
}
TEST(MarkdownStream, CodeAndBold) {
  EXPECT_EQ(shown("a **b c** d"), "a \x1b[1mb c\x1b[0m d");
  EXPECT_EQ(shown("**b** starts"), "\x1b[1mb\x1b[0m starts");
  EXPECT_EQ(shown("``a`b`` end"), "\x1b[36ma`b\x1b[0m end");
  EXPECT_EQ(plain("a **b** `c`"), "a **b** `c`");
}
TEST(MarkdownStream, MarkersThatCloseNothingStandAsTheyAre) {
  EXPECT_EQ(shown("2 * 3 ** 4\nx**2\n`open\nnext"), "2 * 3 ** 4\nx**2\n`open\nnext");
  EXPECT_EQ(shown("*.cpp and **/x.h"), "*.cpp and **/x.h");
  EXPECT_EQ(shown("tail **"), "tail **");
}
TEST(MarkdownStream, ListsQuotesRules) {
  EXPECT_EQ(shown("- one\n  * two\n+ **three**\n"), "• one\n  • two\n• \x1b[1mthree\x1b[0m\n");
  EXPECT_EQ(plain("> said\n"), "│ said\n");
  EXPECT_EQ(plain("---\n-\n--flag\n"), "────────────────────\n-\n--flag\n");
  EXPECT_EQ(plain("1. first\n"), "1. first\n");
}
TEST(MarkdownStream, CodeBlocksAreVerbatim) {
  EXPECT_EQ(plain("```cpp\n# not a heading\n- `x` **y** | z |\n| a |\n  ``\n```\n**b**"),
            "```cpp\n# not a heading\n- `x` **y** | z |\n| a |\n  ``\n```\n**b**");
  EXPECT_EQ(shown("```\n**x**\n```\n**x**\n"), "\x1b[2m```\x1b[0m\n**x**\n\x1b[2m```\x1b[0m\n\x1b[1mx\x1b[0m\n");
  EXPECT_EQ(plain("````\n```\n- x\n````\n- y\n"), "````\n```\n- x\n````\n• y\n");
  EXPECT_EQ(plain("```\n```x\n- y\n"), "```\n```x\n- y\n");  // not its end
}
TEST(MarkdownStream, TablesStandInColumns) {
  EXPECT_EQ(plain("| a | 日本 |\n|---|:-:|\n| long | x |\nafter"), "a    │ 日本\n─────┼─────\nlong │ x\nafter");
  EXPECT_EQ(plain("| a\\|b | c |\n"), "a|b │ c\n");
  EXPECT_EQ(shown("| a |\n|---|\n"), "\x1b[1ma\x1b[0m\n─\n");
  EXPECT_EQ(plain("|\n"), "\n");
  EXPECT_EQ(plain("| a |\n- b\n| c |\n\nd"), "a\n• b\nc\n\nd");
}
TEST(MarkdownStream, NoEscapeButOurOwn) {
  const std::string out = plain("\x1b[2J# t\n`\x1b]0;x\x07`\n```\n\x1b[31m\n| \x1b | \u009b |\n```\n| \x1b |\n**\x1b**");
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
  EXPECT_EQ(out.find('\x07'), std::string::npos);
  EXPECT_EQ(out.find("\xC2\x9B"), std::string::npos);
}
TEST(MarkdownStream, WhatIsHeldHasALimit) {
  const std::string text = "`" + std::string(5000, 'x');
  MarkdownStream stream(true);
  EXPECT_GT(stream.feed(text).size(), 4000U);
}

}  // namespace
}  // namespace parlance::face
