// SPDX-License-Identifier: Apache-2.0
// The cache: kept entries, eviction, and stable pointers.
#include "parlance/store/memory/kept_by_number.h"

#include <string>

#include <gtest/gtest.h>

namespace parlance::store {
namespace {

constexpr std::size_t one = 1000;
constexpr std::size_t room = 10 * (one + 64);

void keep(KeptByNumber<std::string>& kept, std::int64_t number) { kept.keep(number, std::to_string(number), one); }

TEST(KeptByNumber, EntryIsFoundUntilDropped) {
  KeptByNumber<std::string> kept(room);
  keep(kept, 7);
  ASSERT_NE(kept.find(7), nullptr);
  EXPECT_EQ(*kept.find(7), "7");
  kept.drop(7);
  kept.drop(8);
  EXPECT_EQ(kept.find(7), nullptr);
  EXPECT_EQ(kept.size(), 0U);
  EXPECT_EQ(kept.bytes(), 0U);
}

TEST(KeptByNumber, OnlyTrimEvicts) {
  KeptByNumber<std::string> kept(room);
  for (int number = 0; number < 50; ++number) keep(kept, number);
  EXPECT_EQ(kept.size(), 50U) << "who holds one of them may go on holding it";
  kept.trim();
  EXPECT_EQ(kept.size(), 10U);
  EXPECT_LE(kept.bytes(), room);
  ASSERT_NE(kept.find(49), nullptr) << "who came last has not had a round yet";
  kept.grew(49, 5 * one);
  kept.trim();
  EXPECT_EQ(kept.size(), 5U) << "what has grown counts";
  EXPECT_NE(kept.find(49), nullptr);
}

TEST(KeptByNumber, MarkedEntryStaysInARound) {
  KeptByNumber<std::string> kept(room);
  keep(kept, 1);
  for (int number = 100; number < 1000; ++number) {
    keep(kept, number);
    ASSERT_NE(kept.find(1), nullptr) << "after " << number;
    kept.trim();
  }
  EXPECT_NE(kept.find(1), nullptr);
  EXPECT_EQ(kept.find(100), nullptr);
}

TEST(KeptByNumber, DroppingInAnyOrderLeavesTheOthersFindable) {
  KeptByNumber<std::string> kept(room);
  for (int number = 0; number < 9; ++number) keep(kept, number);
  for (const int number : {8, 0, 4}) kept.drop(number);
  kept.trim();
  for (const int number : {1, 2, 3, 5, 6, 7}) {
    ASSERT_NE(kept.find(number), nullptr) << number;
    EXPECT_EQ(*kept.find(number), std::to_string(number));
  }
  kept.clear();
  EXPECT_EQ(kept.size(), 0U);
  keep(kept, 1);
  EXPECT_EQ(*kept.find(1), "1");
}

}  // namespace
}  // namespace parlance::store
