// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/think_tags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = ThinkPiece::Kind;

ThinkPiece text(std::string what) { return {Kind::text, std::move(what)}; }
ThinkPiece thought(std::string what) { return {Kind::thought, std::move(what)}; }
const ThinkPiece begin{Kind::begin};
const ThinkPiece end{Kind::end};

// Neighbours of one kind joined: how the text was cut must not be seen in it.
std::vector<ThinkPiece> joined(std::vector<ThinkPiece> pieces) {
  std::vector<ThinkPiece> out;
  for (ThinkPiece& piece : pieces) {
    if (!out.empty() && out.back().kind == piece.kind && !piece.text.empty()) out.back().text += piece.text;
    else out.push_back(std::move(piece));
  }
  return out;
}

std::vector<ThinkPiece> pieces_of(const std::vector<std::string_view>& cuts) {
  ThinkTags tags(ThinkTags::Blocks::anywhere);
  std::vector<ThinkPiece> out;
  for (const std::string_view cut : cuts) tags.feed(cut, out);
  tags.finish(out);
  EXPECT_FALSE(tags.inside());
  for (const ThinkPiece& piece : out) EXPECT_EQ(piece.text.empty(), piece.kind == Kind::begin || piece.kind == Kind::end);
  return joined(std::move(out));
}

TEST(ThinkTags, ThoughtsAreTakenOutOfTheText) {
  EXPECT_THAT(pieces_of({"inline <thi", "nk>hidden</th", "ink> tail"}),
              ElementsAre(text("inline "), begin, thought("hidden"), end, text(" tail")));
  EXPECT_THAT(pieces_of({"<think>a</think><think>b</think>"}), ElementsAre(begin, thought("a"), end, begin, thought("b"), end));
  EXPECT_THAT(pieces_of({"<think></think>"}), ElementsAre(begin, end));
  EXPECT_THAT(pieces_of({"", ""}), IsEmpty());
}

TEST(ThinkTags, ALookalikeOfATagIsText) {
  EXPECT_THAT(pieces_of({"a < b <", "<think", "ing> </think> <"}), ElementsAre(text("a < b <<thinking> </think> <")));
  EXPECT_THAT(pieces_of({"<<think>x</</think>"}), ElementsAre(text("<"), begin, thought("x</"), end));
}

TEST(ThinkTags, ABlockThatIsOpenAtTheEndIsClosed) {
  EXPECT_THAT(pieces_of({"<think>half </thi"}), ElementsAre(begin, thought("half </thi"), end));
  EXPECT_THAT(pieces_of({"held <thin"}), ElementsAre(text("held <thin")));
}

TEST(ThinkTags, OnlyAPossibleTagIsHeldBack) {
  ThinkTags tags(ThinkTags::Blocks::anywhere);
  std::vector<ThinkPiece> out;
  tags.feed("hello <th", out);
  EXPECT_THAT(out, ElementsAre(text("hello ")));
  tags.feed("e end", out);
  EXPECT_THAT(joined(out), ElementsAre(text("hello <the end")));
}

TEST(ThinkTags, AfterATurnTheNextBeginsOutside) {
  ThinkTags tags(ThinkTags::Blocks::anywhere);
  std::vector<ThinkPiece> out;
  tags.feed("<think>one", out);
  EXPECT_TRUE(tags.inside());
  tags.finish(out);
  out.clear();
  tags.feed("two", out);
  EXPECT_THAT(out, ElementsAre(text("two")));
}

// The property: every cut into three, and one byte at a time.
TEST(ThinkTags, AnyCutGivesTheSamePieces) {
  for (const std::string_view whole : {"inline <think>hidden</think> tail", "<think>a<think>b</think>c</think>d<",
                                       "<<<think>>></</think></think><think>ö", "no tag at all", "</think><think></think"}) {
    const std::vector<ThinkPiece> expected = pieces_of({whole});
    for (std::size_t first = 0; first <= whole.size(); ++first)
      for (std::size_t second = first; second <= whole.size(); ++second)
        ASSERT_EQ(pieces_of({whole.substr(0, first), whole.substr(first, second - first), whole.substr(second)}), expected)
            << whole << " cut at " << first << " and " << second;
    std::vector<std::string_view> bytes;
    for (std::size_t at = 0; at < whole.size(); ++at) bytes.push_back(whole.substr(at, 1));
    ASSERT_EQ(pieces_of(bytes), expected) << whole;
  }
}

// ---- leading blocks --------------------------------------------------------------------------------------------------------

// Kinds and texts in a line, as "R:reasoning|T:text".
std::string split(std::string_view text, std::size_t size) {
  ThinkTags tags(ThinkTags::Blocks::leading);
  std::vector<ThinkPiece> out;
  for (std::size_t at = 0; at < text.size(); at += size) tags.feed(text.substr(at, size), out);
  tags.finish(out);
  std::erase_if(out, [](const ThinkPiece& piece) { return piece.text.empty(); });
  std::string trace;
  for (const ThinkPiece& piece : joined(std::move(out)))
    trace += (trace.empty() ? "" : "|") + std::string(piece.kind == Kind::thought ? "R:" : "T:") + piece.text;
  return trace;
}

// Every text is fed whole and cut everywhere: the tags must not care.
void expect_split(std::string_view text, std::string_view expected) {
  for (std::size_t piece = 1; piece <= text.size() + 1; ++piece) EXPECT_EQ(split(text, piece), expected) << "pieces of " << piece;
}

TEST(LeadingThinkTags, ReasoningComesBeforeTheAnswer) {
  expect_split("<think>Hm, 2 < 3.</think>\n\nYes.", "R:Hm, 2 < 3.|T:Yes.");
}
TEST(LeadingThinkTags, BlanksMayStandBeforeTheTag) { expect_split("\n <think>a</think>b", "R:a|T:b"); }
TEST(LeadingThinkTags, TheLongerTagIsKnownToo) { expect_split("<thinking>a</think></thinking>b", "R:a</think>|T:b"); }
TEST(LeadingThinkTags, BlocksMayFollowEachOther) { expect_split("<think>a</think>\n<think>b</think>c", "R:ab|T:c"); }
TEST(LeadingThinkTags, ATagLaterInTheAnswerIsText) {
  expect_split("Write <think>x</think> like this.", "T:Write <think>x</think> like this.");
}
TEST(LeadingThinkTags, ASimilarTextIsNoTag) { expect_split("<thin ice>", "T:<thin ice>"); }
TEST(LeadingThinkTags, AnUnfinishedTagIsGivenOutAtTheEnd) { expect_split("<thi", "T:<thi"); }
TEST(LeadingThinkTags, AnUnclosedBlockIsReasoning) { expect_split("<think>on and on</thin", "R:on and on</thin"); }
TEST(LeadingThinkTags, LeadingBlanksOfPlainTextStay) { expect_split("  indented", "T:  indented"); }
TEST(LeadingThinkTags, AnEmptyBlockLeavesNoText) { expect_split("<think>\n</think>\n\nHi", "R:\n|T:Hi"); }

TEST(LeadingThinkTags, ALoneClosingTagIsNotShown) {
  expect_split("Hm, so\n</think>\n\nYes.", "T:Hm, so\n\n\nYes.");
  expect_split("Hm.</thinking>\nYes.", "T:Hm.\nYes.");
  expect_split("Hm.\n</think>", "T:Hm.\n");
  expect_split("</think>\n\nYes.", "T:Yes.");
}
TEST(LeadingThinkTags, AClosingTagThatIsExplainedStays) {
  expect_split("It ends with `</think>`\nand goes on.", "T:It ends with `</think>`\nand goes on.");
  expect_split("```\n</think>\n```\n", "T:```\n</think>\n```\n");
  expect_split("Use </think> here.", "T:Use </think> here.");
  expect_split("<think>a</think>b\n</think>\n", "R:a|T:b\n</think>\n");
}

}  // namespace
}  // namespace parlance
