// SPDX-License-Identifier: Apache-2.0
#include "parlance/model/provider/think_tags.h"

#include <gtest/gtest.h>

namespace parlance::model {
namespace {

std::string split(std::string_view text, std::size_t piece) {
  std::string trace;
  std::string open;
  const auto add = [&](const std::string& kind, std::string_view part) {
    if (open != kind) trace += (open.empty() ? "" : "|") + kind + ":";
    open = kind;
    trace += part;
    return Result<void>{};
  };
  ThinkTags tags([&](std::string_view part) { return add("R", part); }, [&](std::string_view part) { return add("T", part); });
  for (std::size_t at = 0; at < text.size(); at += piece) EXPECT_TRUE(tags.feed(text.substr(at, piece)));
  EXPECT_TRUE(tags.finish());
  return trace;
}

// Every text is fed whole and cut everywhere: the tags must not care.
void expect_split(std::string_view text, std::string_view expected) {
  for (std::size_t piece = 1; piece <= text.size() + 1; ++piece) EXPECT_EQ(split(text, piece), expected) << "pieces of " << piece;
}

TEST(ThinkTags, ReasoningComesBeforeTheAnswer) { expect_split("<think>Hm, 2 < 3.</think>\n\nYes.", "R:Hm, 2 < 3.|T:Yes."); }
TEST(ThinkTags, BlanksMayStandBeforeTheTag) { expect_split("\n <think>a</think>b", "R:a|T:b"); }
TEST(ThinkTags, TheLongerTagIsKnownToo) { expect_split("<thinking>a</think></thinking>b", "R:a</think>|T:b"); }
TEST(ThinkTags, BlocksMayFollowEachOther) { expect_split("<think>a</think>\n<think>b</think>c", "R:ab|T:c"); }
TEST(ThinkTags, ATagLaterInTheAnswerIsText) {
  expect_split("Write <think>x</think> like this.", "T:Write <think>x</think> like this.");
}
TEST(ThinkTags, ASimilarTextIsNoTag) { expect_split("<thin ice>", "T:<thin ice>"); }
TEST(ThinkTags, AnUnfinishedTagIsGivenOutAtTheEnd) { expect_split("<thi", "T:<thi"); }
TEST(ThinkTags, AnUnclosedBlockIsReasoning) { expect_split("<think>on and on</thin", "R:on and on</thin"); }
TEST(ThinkTags, LeadingBlanksOfPlainTextStay) { expect_split("  indented", "T:  indented"); }
TEST(ThinkTags, AnEmptyBlockLeavesNoText) { expect_split("<think>\n</think>\n\nHi", "R:\n|T:Hi"); }

TEST(ThinkTags, ALoneClosingTagIsNotShown) {
  expect_split("Hm, so\n</think>\n\nYes.", "T:Hm, so\n\n\nYes.");
  expect_split("Hm.</thinking>\nYes.", "T:Hm.\nYes.");
  expect_split("Hm.\n</think>", "T:Hm.\n");
  expect_split("</think>\n\nYes.", "T:Yes.");
}
TEST(ThinkTags, AClosingTagThatIsExplainedStays) {
  expect_split("It ends with `</think>`\nand goes on.", "T:It ends with `</think>`\nand goes on.");
  expect_split("```\n</think>\n```\n", "T:```\n</think>\n```\n");
  expect_split("Use </think> here.", "T:Use </think> here.");
  expect_split("<think>a</think>b\n</think>\n", "R:a|T:b\n</think>\n");
}

}  // namespace
}  // namespace parlance::model
