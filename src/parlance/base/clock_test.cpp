// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/clock.h"

#include <gtest/gtest.h>

namespace parlance {
namespace {

std::string again(std::string_view text) {
  const auto time = from_rfc3339(text);
  return time ? to_rfc3339(*time) : "none";
}

TEST(Rfc3339, EveryFormOfAMomentIsEqual) {
  for (const char* same : {"2026-03-01T09:30:00.125Z", "2026-03-01t09:30:00.125z", "2026-03-01 09:30:00.125Z",
                           "2026-03-01T09:30:00.1250000000Z", "2026-03-01T10:30:00.125+01:00", "2026-03-01T04:00:00.125-05:30",
                           "2026-02-28T23:59:00.125-09:31", "2026-03-01T09:30:00.125+00:00", "2026-03-01T09:30:00.125-00:00"})
    EXPECT_EQ(again(same), "2026-03-01T09:30:00.125Z") << same;
}

TEST(Rfc3339, FractionsAreCutToMilliseconds) {
  EXPECT_EQ(again("2026-03-01T09:30:00Z"), "2026-03-01T09:30:00.000Z");
  EXPECT_EQ(again("2026-03-01T09:30:00.5Z"), "2026-03-01T09:30:00.500Z");
  EXPECT_EQ(again("2026-03-01T09:30:00.0009Z"), "2026-03-01T09:30:00.000Z");
  EXPECT_EQ(again("2026-03-01T09:30:00.999999999Z"), "2026-03-01T09:30:00.999Z");
}

TEST(Rfc3339, LeapDaysAndLeapSecondsAreKnown) {
  EXPECT_EQ(again("2024-02-29T00:00:00Z"), "2024-02-29T00:00:00.000Z");
  EXPECT_EQ(again("2000-02-29T00:00:00Z"), "2000-02-29T00:00:00.000Z");
  EXPECT_EQ(again("2023-02-29T00:00:00Z"), "none");
  EXPECT_EQ(again("1900-02-29T00:00:00Z"), "none");
  EXPECT_EQ(again("2016-12-31T23:59:60Z"), "2017-01-01T00:00:00.000Z");
}

TEST(Rfc3339, MomentsBefore1970AreNoLess) {
  EXPECT_EQ(again("1969-12-31T23:59:59.999Z"), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(again("1700-01-01T00:00:00Z"), "1700-01-01T00:00:00.000Z");
}

// Dates of strangers reach as far as they like, and must not come back as another year.
TEST(Rfc3339, UnrepresentableMomentsAreAbsent) {
  EXPECT_EQ(again("1677-09-21T00:12:43.146Z"), "1677-09-21T00:12:43.146Z");
  EXPECT_EQ(again("2262-04-11T23:47:16.854Z"), "2262-04-11T23:47:16.854Z");
  for (const char* far : {"0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "1677-09-21T00:12:43.144Z", "2262-04-11T23:47:16.855Z",
                          "2262-04-11T23:47:16.854-00:01", "9999-12-31T23:59:59Z"})
    EXPECT_EQ(again(far), "none") << far;
}

TEST(Rfc3339, MalformedMomentsAreAbsent) {
  for (const char* bad : {"2026-00-01T00:00:00Z",      "2026-01-00T00:00:00Z",      "2026-04-31T00:00:00Z",
                          "2026-03-01T23:60:00Z",      "2026-03-01T23:59:61Z",      "2026-3-1T9:30:00Z",
                          "26-03-01T09:30:00Z",        "2026-03-01T09:30Z",         "2026-03-01T09:30:00+1",
                          "2026-03-01T09:30:00+01",    "2026-03-01T09:30:00+0100",  "2026-03-01T09:30:00+01:0",
                          "2026-03-01T09:30:00 Z",     "2026/03/01T09:30:00Z",      "2026-03-01X09:30:00Z",
                          "-026-03-01T09:30:00Z",      "2026-03-01T09:30:00.Zx",    "2026-03-01T09:30:00.Z",
                          "2026-03-01T09:30:00+24:00", "2026-03-01T09:30:00-00:60", "yesterday"})
    EXPECT_EQ(again(bad), "none") << bad;
}

TEST(Rfc3339, EveryPrefixOfAMomentIsAbsent) {
  const std::string_view whole = "2026-03-01T09:30:00.125+01:00";
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_EQ(again(whole.substr(0, size)), "none") << size;
}

}  // namespace
}  // namespace parlance
