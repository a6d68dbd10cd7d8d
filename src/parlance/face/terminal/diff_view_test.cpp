// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/terminal/diff_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::face {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(DiffView, WhatGoesAndWhatComes) {
  EXPECT_THAT(diff_lines("a\nb\nc\nd\n", "a\nB\nc\nd\n", 1, false), ElementsAre("  a", "- b", "+ B", "  c"));
  EXPECT_THAT(diff_lines("a\nb\n", "a\nb\nc\n", 0, false), ElementsAre("+ c"));
  EXPECT_THAT(diff_lines("same\n", "same\n", 3, false), IsEmpty());
}
TEST(DiffView, NewAndEmptiedFiles) {
  EXPECT_THAT(diff_lines("", "a\nb\n", 3, false), ElementsAre("+ a", "+ b"));
  EXPECT_THAT(diff_lines("a\n", "", 3, false), ElementsAre("- a"));
}
TEST(DiffView, TheLastLineFeedIsAChange) {
  EXPECT_THAT(diff_lines("a", "a\n", 1, false), ElementsAre("  a", "  (now ends with a line feed)"));
}
TEST(DiffView, RepeatedLinesAreNotCountedTwice) { EXPECT_THAT(diff_lines("x\nx\n", "x\nx\nx\n", 0, false), ElementsAre("+ x")); }
TEST(DiffView, ColoursAndControls) {
  EXPECT_THAT(diff_lines("a\x1b[2J\n", "b\r\n", 0, true), ElementsAre("\x1b[31m- a␛[2J\x1b[0m", "\x1b[32m+ b␍\x1b[0m"));
}

}  // namespace
}  // namespace parlance::face
