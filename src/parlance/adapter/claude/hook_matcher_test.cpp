// SPDX-License-Identifier: Apache-2.0
#include "parlance/adapter/claude/hook_matcher.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace parlance::adapter {
namespace {

TEST(HookMatcher, AHookRunsWhenItsMatcherTakesTooLong) {
  std::mt19937 random(1);
  std::string name;
  for (int i = 0; i < 20'000; ++i) name += random() % 2 == 0 ? 'a' : 'b';
  const auto slow = ClaudeHookMatcher::of("a[ab]{2000}c");
  ASSERT_TRUE(slow) << slow.error().message;
  EXPECT_TRUE(slow->fits(name)) << "the hook may be the one that refuses";
  EXPECT_FALSE(slow->fits("Bash"));
}

}  // namespace
}  // namespace parlance::adapter
