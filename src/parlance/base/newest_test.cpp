// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/newest.h"

#include <gtest/gtest.h>

namespace parlance {
namespace {

TEST(Newest, AFullListDropsTheOldest) {
  Newest<int> kept(2);
  kept.keep("a", 1);
  kept.keep("b", 2);
  kept.keep("c", 3);
  EXPECT_EQ(kept.find("a"), nullptr);
  ASSERT_NE(kept.find("b"), nullptr);
  EXPECT_EQ(*kept.find("b"), 2);
}

TEST(Newest, ARepeatedEntryIsNewAgain) {
  Newest<int> kept(2);
  kept.keep("a", 1);
  kept.keep("b", 2);
  kept.keep("a", 3);
  kept.keep("c", 4);
  EXPECT_EQ(kept.find("b"), nullptr);
  ASSERT_NE(kept.find("a"), nullptr);
  EXPECT_EQ(*kept.find("a"), 3);
}

TEST(Newest, ATakenEntryMakesRoom) {
  Newest<int> kept(2);
  kept.keep("a", 1);
  kept.keep("b", 2);
  EXPECT_EQ(kept.take("a"), 1);
  EXPECT_EQ(kept.take("a"), std::nullopt);
  kept.keep("c", 3);
  EXPECT_NE(kept.find("b"), nullptr);
}

}  // namespace
}  // namespace parlance
