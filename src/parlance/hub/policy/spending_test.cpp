// SPDX-License-Identifier: Apache-2.0
#include "parlance/hub/policy/spending.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance::hub {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Spent money(double amount, std::string currency) {
  return spent_in({.cost = Cost{.amount = amount, .currency = std::move(currency)}});
}

TEST(Spending, SumsStayApartByCurrency) {
  Spent sum = money(1.5, "USD");
  sum += money(2, "EUR");
  sum += money(0.25, "USD");
  EXPECT_THAT(sum.costs, ElementsAre(Cost{.amount = 2, .currency = "EUR"}, Cost{.amount = 1.75, .currency = "USD"}));
  EXPECT_EQ(sum.cost_in("USD"), 1.75);
  EXPECT_EQ(sum.cost_in("CNY"), 0);
}

TEST(Spending, InvalidAmountCountsAsZero) {
  EXPECT_THAT(money(-1, "USD").costs, IsEmpty());
  EXPECT_THAT(money(std::nan(""), "USD").costs, IsEmpty());
  EXPECT_THAT(money(INFINITY, "USD").costs, IsEmpty());
  EXPECT_THAT(money(1, "dollars; many").costs, ElementsAre(Cost{.amount = 1, .currency = "XXX"}));
}

TEST(Spending, SumSaturates) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  Spent sum{.input_tokens = most - 1};
  sum += Spent{.input_tokens = 5, .output_tokens = 7};
  EXPECT_EQ(sum.input_tokens, most);
  EXPECT_EQ(sum.tokens(), most);
}

TEST(Spending, LimitIsReachedAtItsAmount) {
  const SpendingLimits limits{.day_tokens = 1000, .conversation_cost = Cost{.amount = 2, .currency = "EUR"}};
  EXPECT_THAT(reached(limits, {.input_tokens = 999}, {}), IsEmpty());
  EXPECT_THAT(reached(limits, {.input_tokens = 900, .output_tokens = 100}, {}),
              ElementsAre(Reason(ReasonId::limit_of_day, {"1,000 tokens", "1,000 tokens"})));
  EXPECT_THAT(reached(limits, {}, money(2.004, "EUR")),
              ElementsAre(Reason(ReasonId::limit_of_conversation, {"2.00 EUR", "2.00 EUR"})));
  EXPECT_THAT(reached(limits, {}, money(90, "USD")), IsEmpty()) << "other money is not converted";
}

TEST(Spending, WithoutLimitsNoLimitIsReached) {
  EXPECT_THAT(reached({}, {.input_tokens = 1'000'000'000}, money(1e9, "USD")), IsEmpty());
}

TEST(Spending, LimitsWithoutAnAmountAreRefused) {
  EXPECT_TRUE(check_limits({}));
  EXPECT_TRUE(check_limits({.day_tokens = 1, .day_cost = Cost{.amount = 0.01, .currency = "CNY"}}));
  EXPECT_FALSE(check_limits({.day_tokens = 0}));
  EXPECT_FALSE(check_limits({.conversation_cost = Cost{.amount = 0, .currency = "USD"}}));
  EXPECT_FALSE(check_limits({.day_cost = Cost{.amount = 5, .currency = "usd"}}));
}

}  // namespace
}  // namespace parlance::hub
