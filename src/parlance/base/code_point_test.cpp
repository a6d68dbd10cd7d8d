// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/code_point.h"

#include <gtest/gtest.h>

namespace parlance {
namespace {

TEST(CodePoint, Decodes) {
  EXPECT_EQ(code_point_at("é", 0).value, U'é');
  EXPECT_EQ(code_point_at("日", 0).value, U'日');
  EXPECT_EQ(code_point_at("🙂", 0).value, U'🙂');
  EXPECT_EQ(code_point_at("🙂", 0).bytes, 4U);
}
TEST(CodePoint, DistinguishesCutAndInvalidCharacters) {
  EXPECT_TRUE(code_point_at("\xE6\x97", 0).cut);
  EXPECT_TRUE(code_point_at("\xF0", 0).cut);
  EXPECT_FALSE(code_point_at("\xED\xA0", 0).cut);  // a surrogate
  EXPECT_FALSE(code_point_at("\xC3X", 0).cut);
  EXPECT_FALSE(code_point_at("\xFF", 0).cut);
}

}  // namespace
}  // namespace parlance
