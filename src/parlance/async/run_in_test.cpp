// SPDX-License-Identifier: Apache-2.0
#include "parlance/async/run_in.h"

#include <optional>

#include <gtest/gtest.h>

namespace parlance {
namespace {

TEST(RunIn, ContinuesWithoutItsCaller) {
  Loop loop{Loop::Time::virtual_};
  Scope scope(loop);
  Signal go_on(loop);
  int done = 0;
  const auto work = [&]() -> Task<int> {
    co_await go_on.wait();
    co_return ++done;
  };
  const auto wait_for = [&](std::optional<int>& seen) -> Task<void> { seen = co_await run_in(scope, work()); };
  std::optional<int> first, second;
  Scope callers(loop);
  auto gone = callers.start(wait_for(first));
  callers.start(wait_for(second));
  gone.cancel();
  go_on.notify_all();
  while (loop.run_ready()) {}
  EXPECT_EQ(done, 2);
  EXPECT_FALSE(first);
  EXPECT_EQ(second, 2);
}

}  // namespace
}  // namespace parlance
