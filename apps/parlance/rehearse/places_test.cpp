// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/rehearse/places.h"

#include <gtest/gtest.h>

namespace parlance::app {
namespace {

using namespace hub::editor;

const std::string text = "int x;\n𝄞 é\n\nend";

TextEdit edit(Position start, Position end, std::string by) {
  return {.range = {.start = start, .end = end}, .new_text = std::move(by)};
}

TEST(Places, EveryPlaceIsFoundBothWays) {
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) continue;
    EXPECT_EQ(offset_of(text, position_of(text, at)), at) << at;
  }
  EXPECT_EQ(position_of(text, text.find("é")), (Position{1, 3})) << "beyond the first plane a character is two";
  EXPECT_EQ(offset_of(text, {1, 1}), 7U) << "half of one is the place before it";
}

TEST(Places, AMissingLineHasNoPosition) {
  EXPECT_EQ(offset_of(text, {0, 7}), std::nullopt) << "behind the end of the line";
  EXPECT_EQ(offset_of(text, {2, 1}), std::nullopt);
  EXPECT_EQ(offset_of(text, {4, 0}), std::nullopt);
  EXPECT_EQ(offset_of(text, {3, 4}), std::nullopt);
  EXPECT_EQ(offset_of("", {0, 0}), 0U);
}

TEST(Places, EditsCountInTheTextAsItWas) {
  EXPECT_EQ(*edited(text, {edit({3, 0}, {3, 3}, "END"), edit({0, 0}, {0, 3}, "long"), edit({1, 3}, {1, 4}, "e")}),
            "long x;\n𝄞 e\n\nEND");
  EXPECT_EQ(*edited(text, {edit({0, 0}, {3, 3}, "")}), "");
  EXPECT_EQ(*edited("ab", {edit({0, 1}, {0, 1}, "1"), edit({0, 1}, {0, 1}, "2")}), "a12b") << "in their order";
  EXPECT_EQ(*edited("ab", {edit({0, 0}, {0, 1}, "x"), edit({0, 1}, {0, 2}, "y")}), "xy") << "side by side is not over each other";
}

TEST(Places, BrokenEditsAreReportedWithTheirPosition) {
  EXPECT_EQ(edited(text, {edit({9, 0}, {9, 0}, "")}).error().message, "There is no line 9, character 0");
  EXPECT_EQ(edited(text, {edit({0, 3}, {0, 1}, "")}).error().message, "A range ends before it begins, at line 0, character 3");
  EXPECT_EQ(edited(text, {edit({0, 0}, {0, 3}, ""), edit({0, 2}, {0, 4}, "")}).error().message,
            "Two edits overlap at line 0, character 2");
}

TEST(Places, LinesOfAText) {
  EXPECT_EQ(line_count(text), 4U);
  EXPECT_EQ(lines_between(text, 2, 3), "𝄞 é\n\n");
  EXPECT_EQ(lines_between(text, 4, {}), "end");
  EXPECT_EQ(lines_between("", 1, {}), "");
}

}  // namespace
}  // namespace parlance::app
