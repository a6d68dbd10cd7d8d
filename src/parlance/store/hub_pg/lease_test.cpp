// SPDX-License-Identifier: Apache-2.0
// The lease in virtual time: whatever the network's behaviour, a hub's child processes end before another hub may take over.
#include "parlance/store/hub_pg/lease.h"

#include <random>

#include <gtest/gtest.h>

namespace parlance::store {
namespace {

using namespace std::chrono_literals;
using State = Lease::State;

TEST(Lease, IsJoinedRenewedAndLostAtItsOwnLimit) {
  Lease lease({.length = 15s, .own = 10s, .renewal = 3s});
  EXPECT_EQ(lease.state(100s), State::joining);
  EXPECT_EQ(lease.limit(), std::nullopt);
  lease.renewed(100s, 101s);
  EXPECT_EQ(*lease.limit(), 110s) << "counted from the sending";
  EXPECT_FALSE(lease.wants_renewal(102s));
  EXPECT_EQ(lease.next_look(102s), 103s);
  EXPECT_TRUE(lease.wants_renewal(103s));
  lease.renewal_sent(103s);
  EXPECT_FALSE(lease.wants_renewal(109s)) << "one is on its way";
  EXPECT_EQ(lease.next_look(104s), 110s);
  EXPECT_EQ(lease.state(110s - 1ns), State::alive);
  EXPECT_EQ(lease.state(110s), State::lost);
}

TEST(Lease, ARenewalThatFailedIsTriedAgainAndTheLimitStays) {
  Lease lease({.length = 15s, .own = 10s, .renewal = 3s});
  lease.renewed(100s, 100s);
  lease.renewal_sent(103s);
  lease.renewal_failed(104s);
  EXPECT_FALSE(lease.wants_renewal(104s));
  EXPECT_TRUE(lease.wants_renewal(104s + limits::store_reconnect));
  EXPECT_EQ(*lease.limit(), 110s);
}

TEST(Lease, AnAnswerThatComesAfterTheLimitChangesNothing) {
  Lease lease({.length = 15s, .own = 10s, .renewal = 3s});
  lease.renewed(100s, 100s);
  lease.renewal_sent(103s);
  lease.renewed(103s, 110s);
  EXPECT_EQ(lease.state(110s), State::lost);
  EXPECT_EQ(lease.state(111s), State::lost) << "for ever";
}

TEST(Lease, WhoWasTakenForDeadIsLostAtOnce) {
  Lease lease({.length = 15s, .own = 10s, .renewal = 3s});
  lease.renewed(100s, 100s);
  lease.found_dead();
  EXPECT_EQ(lease.state(101s), State::lost);
}

// A server with immediate writes of received renewals; a network with delays and losses in both directions; a hub that freezes at
// times. Both clocks run at the same rate with different origins.
class Simulation {
 public:
  explicit Simulation(unsigned seed) : random_(seed) {}

  void run() {
    const Lease::Settings settings{.length = 15s, .own = 10s, .renewal = 3s};
    Lease lease(settings);
    Lease::Time now = ms(1000);
    Lease::Time expires = now + ms(300) + settings.length;
    Lease::Time children_end{};
    lease.renewed(now, now + ms(600));
    for (int step = 0; step < 200; ++step) {
      children_end = *lease.limit();  // the guard's limit, valid during a freeze too
      ASSERT_LT(children_end, expires) << "another gateway could claim the lease while our children run";
      now = std::max(now, lease.next_look(now)) + (random_() % 20 == 0 ? ms(12'000) : ms(50));
      if (lease.state(now) == Lease::State::lost) return;
      if (!lease.wants_renewal(now)) continue;
      const Lease::Time sent = now;
      lease.renewal_sent(sent);
      const Lease::Time arrives = sent + ms(4'000);
      const Lease::Time answered = arrives + ms(7'000);
      const bool arrived = random_() % 5 != 0 && arrives <= expires;  // afterwards the hub may be marked dead
      if (arrived) expires = arrives + settings.length;
      if (arrived && random_() % 5 != 0) lease.renewed(sent, now = answered);
      else lease.renewal_failed(now = std::max(now, answered));
    }
  }

 private:
  Lease::Time ms(unsigned most) { return std::chrono::milliseconds(random_() % most); }
  std::mt19937 random_;
};

TEST(Lease, ChildrenEndBeforeAClaimWithAnyLossOrDelay) {
  for (unsigned seed = 1; seed <= 2000; ++seed) {
    SCOPED_TRACE(seed);
    Simulation(seed).run();
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace parlance::store
