// SPDX-License-Identifier: Apache-2.0
#include "parlance/async/parallel.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance {
namespace {

using Numbers = std::vector<int>;

std::vector<int> sorted(const std::vector<Numbers>& values) {
  std::vector<int> all;
  for (const Numbers& value : values) all.insert(all.end(), value.begin(), value.end());
  std::ranges::sort(all);
  return all;
}

TEST(Parallel, ReturnsTheResultsOfAllParts) {
  Parallel<Numbers> parallel;
  std::vector<int> expected;
  for (int i = 0; i < 100; ++i) {
    expected.push_back(i);
    parallel.add([i](Numbers& numbers) {
      numbers.push_back(i);
      return Result<void>{};
    });
  }
  const auto values = parallel.take();
  ASSERT_TRUE(values);
  EXPECT_EQ(sorted(*values), expected);
}

TEST(Parallel, RunsASinglePartOnTheThreadOfTheCaller) {
  Parallel<std::set<std::thread::id>> parallel;
  parallel.add([](auto& threads) {
    threads.insert(std::this_thread::get_id());
    return Result<void>{};
  });
  const auto values = parallel.take();
  ASSERT_TRUE(values);
  EXPECT_THAT(*values, testing::ElementsAre(testing::ElementsAre(std::this_thread::get_id())));
}

TEST(Parallel, ReturnsTheFirstErrorAndSkipsLaterParts) {
  Parallel<Numbers> parallel;
  std::atomic<int> ran = 0;
  parallel.add([](Numbers&) -> Result<void> { return fail(Errc::invalid_request, "a broken row"); });
  for (int i = 0; i < 100; ++i)
    parallel.add([&](Numbers&) {
      ++ran;
      return Result<void>{};
    });
  const auto values = parallel.take();
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().message, "a broken row");
  EXPECT_LT(ran, 100);
}

TEST(Parallel, WithoutAPartReturnsAnEmptyResult) {
  Parallel<Numbers> parallel;
  const auto values = parallel.take();
  ASSERT_TRUE(values);
  EXPECT_THAT(*values, testing::ElementsAre(testing::IsEmpty()));
}

TEST(Parallel, EndsWithoutATake) {
  std::atomic<int> ran = 0;
  {
    Parallel<Numbers> parallel;
    for (int i = 0; i < 10; ++i)
      parallel.add([&](Numbers&) {
        ++ran;
        return Result<void>{};
      });
  }
  EXPECT_EQ(ran, 10);
}

}  // namespace
}  // namespace parlance
