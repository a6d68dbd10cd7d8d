// SPDX-License-Identifier: Apache-2.0
#include "apps/parlance/supervise/back_off.h"

#include <gtest/gtest.h>

namespace parlance::app {
namespace {

TEST(BackOff, GrowsToItsLimitAndIsNeverInStep) {
  BackOff pause;
  Duration whole = BackOff::first;
  for (int i = 0; i < 20; ++i) {
    const Duration next = pause.next();
    EXPECT_GE(next, whole / 2);
    EXPECT_LE(next, whole);
    whole = std::min<Duration>(whole * 2, BackOff::most);
  }
  EXPECT_EQ(whole, Duration(BackOff::most));
}

}  // namespace
}  // namespace parlance::app
