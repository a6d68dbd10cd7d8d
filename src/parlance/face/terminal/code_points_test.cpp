// SPDX-License-Identifier: Apache-2.0
#include "parlance/face/terminal/code_points.h"

#include <string_view>

#include <gtest/gtest.h>

namespace parlance::face {
namespace {

TEST(CodePoints, Columns) {
  EXPECT_EQ(columns("abc"), 3U);
  EXPECT_EQ(columns("é"), 1U);
  EXPECT_EQ(columns("e\u0301"), 1U);
  EXPECT_EQ(columns("日本語"), 6U);
  EXPECT_EQ(columns("한글"), 4U);
  EXPECT_EQ(columns("ａ"), 2U);  // full width
  EXPECT_EQ(columns("🙂"), 2U);
  EXPECT_EQ(columns("─│•"), 3U);
  EXPECT_EQ(columns("❤\uFE0F"), 1U);
}

}  // namespace
}  // namespace parlance::face
