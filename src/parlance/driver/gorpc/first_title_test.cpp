// SPDX-License-Identifier: Apache-2.0
// The title in an answer of a model. agent_via_gorpc_test.cpp has the conversations with such titles.
#include "parlance/driver/gorpc/first_title.h"

#include <gtest/gtest.h>

namespace parlance::driver {
namespace {

TEST(FirstTitle, AnOddAnswerIsNoTitle) {
  for (const char* odd : {"", "  ", "two\nlines"}) EXPECT_EQ(title_in({.content = odd}), "") << odd;
  EXPECT_EQ(title_in({.content = std::string(101, 'x')}), "");
  EXPECT_EQ(title_in({.content = "A ti", .stop = "max_tokens"}), "");
  EXPECT_EQ(title_in({.content = "A title", .tools = {{.id = "c"}}}), "");
  EXPECT_EQ(title_in({.content = " “A title” "}), "A title");
  EXPECT_EQ(title_in({.content = "**A title**\n"}), "A title");
}

}  // namespace
}  // namespace parlance::driver
