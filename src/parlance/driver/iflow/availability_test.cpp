// SPDX-License-Identifier: Apache-2.0
#include "parlance/driver/iflow/availability.h"

#include <chrono>
#include <optional>

#include <gtest/gtest.h>

namespace parlance::driver {
namespace {

using namespace std::chrono_literals;

class AvailabilityCacheTest : public testing::Test {
 protected:
  Task<Availability> check() {
    const int number = ++checks_;
    if (takes_ > 0s) co_await sleep_for(loop_, takes_);
    co_return Availability{.available = available_, .version = std::to_string(number)};
  }
  // The reported version is the number of the check.
  void ask(std::string& into) {
    scope_.start(
        [](AvailabilityCache& cache, std::string& out) -> Task<void> { out = (co_await cache.get()).version; }(cache_, into));
    settle();
  }
  std::string ask() {
    std::string version;
    ask(version);
    return version;
  }
  void settle() {
    while (loop_.run_ready()) {}
  }

  Loop loop_{Loop::Time::virtual_};
  bool available_ = true;
  std::chrono::seconds takes_ = 0s;
  int checks_ = 0;
  AvailabilityCache cache_{loop_, [this] { return check(); }};
  Scope scope_{loop_};
};

TEST_F(AvailabilityCacheTest, SuccessIsCachedForTwoMinutes) {
  EXPECT_EQ(ask(), "1");
  loop_.advance(119s);
  EXPECT_EQ(ask(), "1");
  loop_.advance(1s);
  EXPECT_EQ(ask(), "2");
}

TEST_F(AvailabilityCacheTest, FailureIsCachedForFifteenSeconds) {
  available_ = false;
  EXPECT_EQ(ask(), "1");
  loop_.advance(14s);
  EXPECT_EQ(ask(), "1");
  loop_.advance(1s);
  available_ = true;
  EXPECT_EQ(ask(), "2");
}

TEST_F(AvailabilityCacheTest, ParallelCallersShareACheck) {
  takes_ = 3s;
  std::string first;
  std::string second;
  ask(first);
  ask(second);
  EXPECT_EQ(checks_, 1);
  EXPECT_EQ(first, "");
  loop_.advance(3s);
  settle();
  EXPECT_EQ(first, "1");
  EXPECT_EQ(second, "1");
  EXPECT_EQ(ask(), "1");
}

TEST_F(AvailabilityCacheTest, CheckContinuesWithoutItsCallers) {
  takes_ = 3s;
  std::string gone;
  ask(gone);
  scope_.cancel();
  loop_.advance(3s);
  settle();
  EXPECT_EQ(gone, "");
  EXPECT_EQ(ask(), "1");
}

TEST_F(AvailabilityCacheTest, ClearForcesANewCheckDuringACheckToo) {
  takes_ = 3s;
  std::string old;
  ask(old);
  cache_.clear();
  std::string fresh;
  loop_.advance(1s);
  ask(fresh);
  EXPECT_EQ(checks_, 2);
  loop_.advance(2s);
  settle();
  EXPECT_EQ(old, "1");
  EXPECT_EQ(fresh, "");
  loop_.advance(1s);
  settle();
  EXPECT_EQ(fresh, "2");
  EXPECT_EQ(ask(), "2");
}

}  // namespace
}  // namespace parlance::driver
