#include "parlance/face/terminal/code_points.h"

#include <string_view>

#include <gtest/gtest.h>

namespace parlance::face {
namespace {

TEST(CodePoints, Decoded) {
  EXPECT_EQ(code_point_at("é", 0).value, U'é');
  EXPECT_EQ(code_point_at("日", 0).value, U'日');
  EXPECT_EQ(code_point_at("🙂", 0).value, U'🙂');
  EXPECT_EQ(code_point_at("🙂", 0).bytes, 4U);
}
TEST(CodePoints, ABeginningThatCanBeCompletedIsCut) {
  EXPECT_TRUE(code_point_at("\xE6\x97", 0).cut);
  EXPECT_TRUE(code_point_at("\xF0", 0).cut);
  EXPECT_FALSE(code_point_at("\xED\xA0", 0).cut);  // a surrogate
  EXPECT_FALSE(code_point_at("\xC3X", 0).cut);
  EXPECT_FALSE(code_point_at("\xFF", 0).cut);
}
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
