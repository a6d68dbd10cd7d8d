// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/retry.h"

#include <gtest/gtest.h>

namespace parlance {
namespace {

using namespace std::chrono_literals;

const auto noon = *parse_http_date("Sun, 06 Nov 1994 12:00:00 GMT");

TEST(HttpDate, IsReadToTheSecond) {
  EXPECT_EQ(*parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), WallClock::from_time_t(784111777));
  EXPECT_EQ(*parse_http_date(" Thu, 29 Feb 2024 23:59:60 GMT "), WallClock::from_time_t(1709251200));
}

TEST(HttpDate, AnInvalidValueIsRefused) {
  for (const char* text : {"", "soon", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
                           "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Foo 1994 08:49:37 GMT"})
    EXPECT_FALSE(parse_http_date(text)) << text;
}

TEST(RetryAfter, SecondsMillisecondsAndDates) {
  EXPECT_EQ(retry_after({{"Retry-After", "7"}}, noon), 7s);
  EXPECT_EQ(retry_after({{"retry-after", " 0.25 "}}, noon), 250ms);
  EXPECT_EQ(retry_after({{"Retry-After", "7"}, {"retry-after-ms", "1500"}}, noon), 1500ms);
  EXPECT_EQ(retry_after({{"Retry-After", "Sun, 06 Nov 1994 12:00:30 GMT"}}, noon), 30s);
  EXPECT_EQ(retry_after({{"Retry-After", "Sun, 06 Nov 1994 11:00:00 GMT"}}, noon), 0s);
}

TEST(RetryAfter, NonsenseIsIgnoredAndNeverOverflows) {
  EXPECT_FALSE(retry_after({}, noon));
  EXPECT_FALSE(retry_after({{"Retry-After", "later"}}, noon));
  EXPECT_FALSE(retry_after({{"Retry-After", "nan"}}, noon));
  EXPECT_EQ(retry_after({{"Retry-After", "-5"}}, noon), 0s);
  EXPECT_EQ(retry_after({{"Retry-After", "1e300"}}, noon), 365 * 24h);
}

TEST(BackOff, DoublesUpToTheLimitWithHalfOfTheDelayRandom) {
  EXPECT_EQ(back_off(1, 500ms, 30s, 0.0), 250ms);
  EXPECT_EQ(back_off(1, 500ms, 30s, 1.0), 500ms);
  EXPECT_EQ(back_off(3, 500ms, 30s, 1.0), 2s);
  EXPECT_EQ(back_off(60, 500ms, 30s, 1.0), 30s);
}

TEST(MayRetry, TroubleOfTheMomentOnly) {
  for (const int status : {408, 409, 429, 500, 502, 503, 529}) EXPECT_TRUE(may_retry(status)) << status;
  for (const int status : {400, 401, 403, 404, 413, 422, 301, 200}) EXPECT_FALSE(may_retry(status)) << status;
}

}  // namespace
}  // namespace parlance
