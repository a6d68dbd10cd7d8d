// SPDX-License-Identifier: Apache-2.0
// Renders Markdown for a terminal. Each case feeds the text whole, cut in two at every byte, and byte by byte; the output must be equal.
#include "parlance/face/terminal/markdown_stream.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace parlance::face {
namespace {

std::string shown(std::string_view text, bool colours = true, std::size_t width = 0) {
  MarkdownStream whole(colours, width);
  std::string expected = whole.feed(text);
  expected += whole.finish();
  MarkdownStream slow(colours, width);
  std::string out;
  for (const char c : text) out += slow.feed({&c, 1});
  EXPECT_EQ(out + slow.finish(), expected);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    MarkdownStream halves(colours, width);
    std::string joined = halves.feed(text.substr(0, cut));
    joined += halves.feed(text.substr(cut));
    EXPECT_EQ(joined + halves.finish(), expected) << "cut at " << cut;
  }
  return expected;
}
std::string plain(std::string_view text) { return shown(text, false); }
std::string wrapped(std::string_view text, std::size_t width) { return shown(text, false, width); }

TEST(MarkdownStream, ProseIsLeftAlone) {
  EXPECT_EQ(shown("Hello, 世界.\n\n  indented\nlast"), "Hello, 世界.\n\n  indented\nlast");
  EXPECT_EQ(shown("\n\n"), "\n\n");
  EXPECT_EQ(shown(""), "");
}
TEST(MarkdownStream, ProseAppearsOnArrival) {
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
TEST(MarkdownStream, UnclosedMarkersAreLiteral) {
  EXPECT_EQ(shown("2 * 3 ** 4\nx**2\n`open\nnext"), "2 * 3 ** 4\nx**2\n`open\nnext");
  EXPECT_EQ(shown("*.cpp and **/x.h"), "*.cpp and **/x.h");
  EXPECT_EQ(shown("tail **"), "tail **");
}
TEST(MarkdownStream, RendersItalicsNestedAndStruckText) {
  EXPECT_EQ(shown("an *it* and _it_ x"), "an \x1b[3mit\x1b[0m and \x1b[3mit\x1b[0m x");
  EXPECT_EQ(shown("***both*** x"), "\x1b[1;3mboth\x1b[0m x");
  EXPECT_EQ(shown("**a *b* c**"), "\x1b[1ma \x1b[0m\x1b[1;3mb\x1b[0m\x1b[1m c\x1b[0m");
  EXPECT_EQ(shown("*a `b` c*"), "\x1b[3ma \x1b[0m\x1b[3;36mb\x1b[0m\x1b[3m c\x1b[0m");
  EXPECT_EQ(shown("~~no~~ ~x~"), "\x1b[9mno\x1b[0m ~x~");
  EXPECT_EQ(shown("`` `a` `` b"), "\x1b[36m`a`\x1b[0m b");
  EXPECT_EQ(shown("**重点：**后"), "\x1b[1m重点：\x1b[0m后");
  EXPECT_EQ(plain("***x*** _y_ ~~z~~"), "***x*** _y_ ~~z~~");
}
TEST(MarkdownStream, LeavesNamesAndArithmeticAlone) {
  EXPECT_EQ(shown("snake_case_name and a * b * c"), "snake_case_name and a * b * c");
  EXPECT_EQ(shown("f(x)*g(x)*h"), "f(x)*g(x)*h");
  EXPECT_EQ(shown("a `b *c* d"), "a `b \x1b[3mc\x1b[0m d");  // an unclosed backtick
  EXPECT_EQ(shown("*open **bold** tail"), "*open \x1b[1mbold\x1b[0m tail");
}
TEST(MarkdownStream, DecodesEscapesAndCharacterReferences) {
  EXPECT_EQ(shown("\\*not it\\* \\_ C:\\Users \\"), "*not it* _ C:\\Users \\");
  EXPECT_EQ(shown("a &amp;&lt;b&gt; &#39;c&#x2014; &unknown; AT&T; R&D &"), "a &<b> 'c— &unknown; AT&T; R&D &");
  EXPECT_EQ(shown("`&amp;\\*`"), "\x1b[36m&amp;\\*\x1b[0m");
  EXPECT_EQ(plain("&#27;[2J &#x202E; &#10; &#xD800; &#x110000;"), "&#27;[2J &#x202E; &#10; &#xD800; &#x110000;");
}
TEST(MarkdownStream, RendersMarksInHeadings) {
  EXPECT_EQ(shown("## The *new* `api` ##\n"), "\x1b[1mThe \x1b[0m\x1b[1;3mnew\x1b[0m\x1b[1m \x1b[0m\x1b[1;36mapi\x1b[0m\n");
  EXPECT_EQ(shown("# C#\n"), "\x1b[1mC#\x1b[0m\n");
}
TEST(MarkdownStream, ListsQuotesRules) {
  EXPECT_EQ(shown("- one\n  * two\n+ **three**\n"), "• one\n  • two\n• \x1b[1mthree\x1b[0m\n");
  EXPECT_EQ(plain("---\n* * *\n-\n--flag\n- - x\n"), "────────────────────\n────────────────────\n-\n--flag\n• - x\n");
  EXPECT_EQ(plain("1. first\n12) second\n3.14\n7\n"), "1. first\n12) second\n3.14\n7\n");
  EXPECT_EQ(plain("- [ ] open\n- [x] done\n- [link](x)\n- [\n"), "☐ open\n☑ done\n• [link](x)\n• [\n");
}
TEST(MarkdownStream, RendersQuotesWithinQuotes) {
  EXPECT_EQ(plain("> said\n>said\n> > twice\n>> - item\n>\n"), "│ said\n│ said\n│ │ twice\n│ │ • item\n│ \n");
  EXPECT_EQ(shown("> # Title\n"), "\x1b[2m│\x1b[0m \x1b[1mTitle\x1b[0m\n");
  EXPECT_EQ(plain("> ```\n> > *x*\n> ```\n> | a |\n> | b |\ny"),
            "│ ────────────────────\n│ > *x*\n│ ────────────────────\n│ a\n│ b\ny");
  EXPECT_EQ(plain("> ```\n> a\n- b\n"), "│ ────────────────────\n│ a\n────────────────────\n• b\n");  // the quote ends
}
TEST(MarkdownStream, CodeBlocksAreVerbatim) {
  EXPECT_EQ(plain("```cpp\n# not a heading\n- `x` **y** | z |\n| a |\n  ``\n```\n**b**"),
            "── cpp ─────────────\n# not a heading\n- `x` **y** | z |\n| a |\n  ``\n────────────────────\n**b**");
  EXPECT_EQ(shown("```\n**x**\n```\n**x**\n"),
            "\x1b[2m────────────────────\x1b[0m\n**x**\n\x1b[2m────────────────────\x1b[0m\n\x1b[1mx\x1b[0m\n");
  EXPECT_EQ(plain("````\n```\n- x\n````\n- y\n"), "────────────────────\n```\n- x\n────────────────────\n• y\n");
  EXPECT_EQ(plain("```\n```x\n- y\n"), "────────────────────\n```x\n- y\n");  // not its end
  EXPECT_EQ(wrapped("```\none two three four five\n```\n", 10), "──────────\none two three four five\n──────────\n");
}
TEST(MarkdownStream, BreaksLinesBetweenWords) {
  EXPECT_EQ(wrapped("one two three\nfour", 9), "one two\nthree\nfour");
  EXPECT_EQ(wrapped("one two", 7), "one two");
  EXPECT_EQ(wrapped("- one two three", 9), "• one two\n  three");
  EXPECT_EQ(wrapped("  10. one two", 9), "  10. one\n      two");
  EXPECT_EQ(wrapped("> > one two", 9), "│ │ one\n│ │ two");
  EXPECT_EQ(shown("**one two** x", true, 5), "\x1b[1mone\x1b[0m\n\x1b[1mtwo\x1b[0m x");
  EXPECT_EQ(wrapped("see https://example.com/long end", 10), "see\nhttps://example.com/long\nend");
  EXPECT_EQ(wrapped("# one two three", 9), "# one two\nthree");
}
TEST(MarkdownStream, BreaksChineseBetweenCharactersButNotBeforePunctuation) {
  EXPECT_EQ(wrapped("重连测试等待", 6), "重连测\n试等待");
  EXPECT_EQ(wrapped("重连测，试", 6), "重连\n测，试");
  EXPECT_EQ(wrapped("用abc试", 4), "用\nabc\n试");
}
TEST(MarkdownStream, WordIsHeldUntilItsEnd) {
  MarkdownStream stream(true, 20);
  EXPECT_EQ(stream.feed("one tw"), "one");
  EXPECT_EQ(stream.feed("o "), " two");
  EXPECT_EQ(stream.finish(), "");
}
TEST(MarkdownStream, TablesAreAligned) {
  EXPECT_EQ(plain("| a | 日本 |\n|---|---|\n| long | x |\nafter"), "a    │ 日本\n─────┼─────\nlong │ x\nafter");
  EXPECT_EQ(plain("| a\\|b | c |\n"), "a|b │ c\n");
  EXPECT_EQ(shown("| a |\n|---|\n"), "\x1b[1ma\x1b[0m\n─\n");
  EXPECT_EQ(plain("|\n"), "\n");
  EXPECT_EQ(plain("| a |\n- b\n| c |\n\nd"), "a\n• b\nc\n\nd");
  EXPECT_EQ(plain("|n|m|\n|-:|:-:|\n|1000|abc|\n|1|x|\n"), "   n │  m\n─────┼────\n1000 │ abc\n   1 │  x\n");
}
TEST(MarkdownStream, RendersMarksInCells) {
  EXPECT_EQ(shown("| *a* | `b` |\n| **cc** | d |\n"), "\x1b[3ma\x1b[0m  │ \x1b[36mb\x1b[0m\n\x1b[1mcc\x1b[0m │ d\n");
  EXPECT_EQ(plain("| a<br>bc | d |\n"), "a  │ d\nbc │ \n");
}
TEST(MarkdownStream, BreaksLinesWithinCellsOfAWideTable) {
  EXPECT_EQ(wrapped("| key | one two three |\n|---|---|\n| k | four five six |\n| l | x |\n", 14),
            "key │ one two\n    │ three\n────┼─────────\nk   │ four\n    │ five six\n────┼─────────\nl   │ x\n");
}
TEST(MarkdownStream, NoEscapeButOurOwn) {
  const std::string out = plain("\x1b[2J# t\n`\x1b]0;x\x07`\n```\n\x1b[31m\n| \x1b | \u009b |\n```\n| \x1b |\n**\x1b**");
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
  EXPECT_EQ(out.find('\x07'), std::string::npos);
  EXPECT_EQ(out.find("\xC2\x9B"), std::string::npos);
}
TEST(MarkdownStream, HeldTextIsBounded) {
  const std::string text = "`" + std::string(5000, 'x');
  MarkdownStream stream(true);
  EXPECT_GT(stream.feed(text).size(), 4000U);
}

}  // namespace
}  // namespace parlance::face
