// SPDX-License-Identifier: Apache-2.0
// Texts with hidden characters, and their displayed marks.
#include "parlance/base/visible_text.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace parlance {
namespace {

struct Case {
  std::string_view text;
  std::string_view exact;
  std::string_view prose;
};

TEST(VisibleText, MarksHiddenCharacters) {
  constexpr Case cases[] = {
      // Without marks, a display shows `echo safe # rm '; rm -rf /x '` and `ash.txt`.
      {"echo safe # \u202E' x/ fr- mr ;' mr", "echo safe # ⟨U+202E⟩' x/ fr- mr ;' mr", "echo safe # ⟨U+202E⟩' x/ fr- mr ;' mr"},
      {"a\u202Etxt.hs", "a⟨U+202E⟩txt.hs", "a⟨U+202E⟩txt.hs"},
      {"a\u2066b\u2069\u200F\u061C", "a⟨U+2066⟩b⟨U+2069⟩⟨U+200F⟩⟨U+061C⟩", "a⟨U+2066⟩b⟨U+2069⟩⟨U+200F⟩⟨U+061C⟩"},
      {"r\u200Bm\u2060 \uFEFF\u180E", "r⟨U+200B⟩m⟨U+2060⟩ ⟨U+FEFF⟩⟨U+180E⟩", "r⟨U+200B⟩m⟨U+2060⟩ ⟨U+FEFF⟩⟨U+180E⟩"},
      {"ls\U000E0072\U000E006D", "ls⟨U+E0072⟩⟨U+E006D⟩", "ls⟨U+E0072⟩⟨U+E006D⟩"},
      {"\u00AD\u034F\u115F\u1160\u17B4\u3164\uFFA0", "⟨U+00AD⟩⟨U+034F⟩⟨U+115F⟩⟨U+1160⟩⟨U+17B4⟩⟨U+3164⟩⟨U+FFA0⟩",
       "⟨U+00AD⟩⟨U+034F⟩⟨U+115F⟩⟨U+1160⟩⟨U+17B4⟩⟨U+3164⟩⟨U+FFA0⟩"},
      {"a\u2028b\u009B31m", "a⟨U+2028⟩b⟨U+009B⟩31m", "a⟨U+2028⟩b⟨U+009B⟩31m"},
      {"\x1b[2J\x7f rm\rls", "␛[2J␡ rm␍ls", "␛[2J␡ rm␍ls"},
      {"\xff\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD\uFFFD", "\uFFFD\uFFFD\uFFFD\uFFFD"},
      // Spaces and joiners: legitimate in prose, a trap in a command.
      {"rm\u00A0-rf\u2003x", "rm⟨U+00A0⟩-rf⟨U+2003⟩x", "rm\u00A0-rf\u2003x"},
      {"\u2764\uFE0F\u200D\U0001F525 1\uFE0F\u20E3", "\u2764⟨U+FE0F⟩⟨U+200D⟩\U0001F525 1⟨U+FE0F⟩\u20E3",
       "\u2764\uFE0F\u200D\U0001F525 1\uFE0F\u20E3"},
      {"\u0645\u06CC\u200C\u062E", "\u0645\u06CC⟨U+200C⟩\u062E", "\u0645\u06CC\u200C\u062E"},
      // Prose marks a joiner behind a Latin letter, and a run of joiners after the first.
      {"a\u200Db", "a⟨U+200D⟩b", "a⟨U+200D⟩b"},
      {"\U0001F600\U000E0101\U000E0102", "\U0001F600⟨U+E0101⟩⟨U+E0102⟩", "\U0001F600\U000E0101⟨U+E0102⟩"},
      {"a\uFE0F\u200D", "a⟨U+FE0F⟩⟨U+200D⟩", "a⟨U+FE0F⟩⟨U+200D⟩"},
  };
  for (const Case& test_case : cases) {
    EXPECT_EQ(visible_text(test_case.text), test_case.exact);
    EXPECT_EQ(visible_text(test_case.text, Reading::prose), test_case.prose);
    EXPECT_TRUE(has_hidden_characters(test_case.text)) << test_case.exact;
  }
}

TEST(VisibleText, KeepsOrdinaryText) {
  for (const std::string_view text : {"", "grüß dich\n\t日本語 🙂 e\u0301", "שלום عربى", "⟨U+202E⟩ ␛", "wide\u3000space"}) {
    EXPECT_EQ(visible_text(text), text);
    EXPECT_FALSE(has_hidden_characters(text)) << text;
  }
  EXPECT_EQ(visible_text("one\r\ntwo"), "one\ntwo");
  EXPECT_FALSE(has_hidden_characters("one\r\ntwo"));
  EXPECT_EQ(visible_line("echo a\nrm b"), "echo a␊rm b");
}

TEST(VisibleText, JsonGetsEscapesOfTheSameValue) {
  EXPECT_EQ(visible_json("{\n\"a\":\"\u202Eé\x7F\U000E0041\"}"), "{\n\"a\":\"\\u202Eé\\u007F\\uDB40\\uDC41\"}");
}

TEST(VisibleText, RangesAreSortedAndDisjoint) {
  char32_t next = 0;
  for (const HiddenRange& range : hidden_ranges()) {
    EXPECT_LE(next, range.first);
    EXPECT_LE(range.first, range.last);
    next = range.last + 1;
  }
}

// A bound of a range in the syntax of JavaScript's regular expressions.
std::string escaped(char32_t c) {
  char text[16];
  std::snprintf(text, sizeof text, c < 0x100 ? "\\\\x%02x" : c < 0x10000 ? "\\\\u%04x" : "\\\\u{%x}", static_cast<unsigned>(c));
  return text;
}
std::string line_of(std::string_view name, HiddenKind kind) {
  std::string line = "export const " + std::string(name) + " = '";
  for (const HiddenRange& range : hidden_ranges()) {
    if (range.kind != kind) continue;
    line += escaped(range.first);
    if (range.last != range.first) line += "-" + escaped(range.last);
  }
  return line + "';\n";
}

TEST(VisibleText, ThePageHasTheSameRanges) {
  const std::string expected =
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// Ranges of hidden characters, for classes of regular expressions. Printed from src/parlance/base/visible_text.cpp; do not edit.\n"
      "// `PARLANCE_WRITE=1 base_test --gtest_filter=VisibleText.ThePageHasTheSameRanges` writes the file.\n\n" +
      line_of("ALWAYS", HiddenKind::always) + line_of("JOINERS", HiddenKind::joiner) + line_of("SPACES", HiddenKind::space);
  const std::string path = PARLANCE_SOURCE_DIR "/apps/web/src/visible/hidden_ranges.ts";
  if (std::getenv("PARLANCE_WRITE") != nullptr) std::ofstream(path) << expected;
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), expected);
}

}  // namespace
}  // namespace parlance
