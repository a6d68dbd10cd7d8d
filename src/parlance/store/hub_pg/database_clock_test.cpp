// SPDX-License-Identifier: Apache-2.0
#include "parlance/store/hub_pg/database_clock.h"

#include <gtest/gtest.h>

namespace parlance::store {
namespace {

using namespace std::chrono_literals;

WallTime at_ms(std::int64_t ms) { return WallTime(std::chrono::milliseconds(ms)); }

TEST(DatabaseClock, KnowsNoTimeBeforeTheFirstAnswer) { EXPECT_EQ(DatabaseClock().at(5s), std::nullopt); }

TEST(DatabaseClock, RunsOnBetweenAnswers) {
  DatabaseClock clock;
  clock.take(at_ms(1'000'000), 10s, 10s);
  EXPECT_EQ(clock.at(10s), at_ms(1'000'000));
  EXPECT_EQ(clock.at(10s + 1500ms), at_ms(1'001'500));
}

TEST(DatabaseClock, StaysWhereASlowAnswerAllowsIt) {
  DatabaseClock clock;
  clock.take(at_ms(1'000'000), 10s, 10s);
  clock.take(at_ms(1'003'000), 12s, 14s);
  EXPECT_EQ(clock.at(14s), at_ms(1'004'000)) << "no jump for a slow network";
}

TEST(DatabaseClock, FollowsADatabaseThatDriftsOrIsReplaced) {
  DatabaseClock clock;
  clock.take(at_ms(1'000'000), 10s, 10s);
  clock.take(at_ms(9'000'000), 20s, 20s + 100ms);
  EXPECT_EQ(clock.at(20s), at_ms(8'999'900));
  clock.take(at_ms(1'000'000), 30s, 30s);
  EXPECT_EQ(clock.at(30s), at_ms(1'000'000));
}

}  // namespace
}  // namespace parlance::store
