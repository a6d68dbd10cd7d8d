// SPDX-License-Identifier: Apache-2.0
#include "parlance/server/sqlite/rows.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace parlance::server {
namespace {

// By the standard library alone: the shortest decimal, with a point or an exponent.
std::string expected(double value) {
  const double size = std::abs(value);
  char text[400];
  const bool scientific = value != 0 && (size >= 1e16 || size < 1e-4);
  const auto format = scientific ? std::chars_format::scientific : std::chars_format::fixed;
  std::string shortest(text, std::to_chars(text, text + sizeof text, value, format).ptr);
  if (!scientific && shortest.find('.') == std::string::npos) shortest += ".0";
  return shortest;
}

void expect_shortest(double value) {
  if (!std::isfinite(value)) return;
  ASSERT_EQ(to_json(value), expected(value)) << std::bit_cast<std::uint64_t>(value);
}

TEST(SqliteRows, DecimalsOfFewPlacesAreAsShortAsTheyWereWritten) {
  EXPECT_EQ(to_json(79.19), "79.19");
  EXPECT_EQ(to_json(-0.1), "-0.1");
  EXPECT_EQ(to_json(13.377777), "13.377777");
  EXPECT_EQ(to_json(0.0001), "0.0001");
  EXPECT_EQ(to_json(1e9), "1000000000.0");
  EXPECT_EQ(to_json(999999999.999999), "999999999.999999");
  EXPECT_EQ(to_json(-0.0), "-0.0");
  EXPECT_EQ(to_json(0.1 + 0.2), "0.30000000000000004");
}

// The fast form equals the standard library's result, and so do the neighbouring values.
TEST(SqliteRows, EveryRealIsItsShortestDecimal) {
  std::mt19937_64 random(20260114);
  for (int round = 0; round < 200'000; ++round) {
    const auto places = static_cast<double>(random() % 9);
    const auto digits = static_cast<double>(random() % 1'000'000'000'000'000 >> random() % 50);
    double value = digits / std::pow(10.0, places);
    if (random() % 2 == 0) value = -value;
    ASSERT_NO_FATAL_FAILURE(expect_shortest(value));
    ASSERT_NO_FATAL_FAILURE(expect_shortest(std::nextafter(value, 0.0)));
    ASSERT_NO_FATAL_FAILURE(expect_shortest(std::nextafter(value, 2e300)));
    ASSERT_NO_FATAL_FAILURE(expect_shortest(std::bit_cast<double>(random())));
  }
}

TEST(SqliteRows, RealsAroundEveryBoundOfTheirShapes) {
  for (const double bound : {1e-4, 1e-6, 5e-7, 1.0, 1e6, 1e9, 1e15, 1e16, 9007199254740992.0}) {
    double above = bound;
    double below = bound;
    for (int step = 0; step < 1000; ++step) {
      for (const double value : {above, below, -above, -below}) ASSERT_NO_FATAL_FAILURE(expect_shortest(value));
      above = std::nextafter(above, 1e300);
      below = std::nextafter(below, 0.0);
    }
  }
}

// The paths for the text of a cell: plain, escaped, non-ASCII characters first or last, invalid UTF-8; with sizes around a piece.
TEST(SqliteRows, TextsOfEveryLengthAroundAPiece) {
  for (const std::size_t piece : {0U, 4096U, 8192U}) {
    for (std::size_t length = piece; length < piece + 40; ++length) {
      const std::string plain(length, 'x');
      EXPECT_EQ(to_json(plain), '"' + plain + '"');
      EXPECT_EQ(to_json(plain + "\"\n"), '"' + plain + "\\\"\\n\"");
      EXPECT_EQ(to_json(plain + "\xC3\xA9\"é"), '"' + plain + "\xC3\xA9\\\"é\"");
      EXPECT_TRUE(to_json(plain + "\xC3").starts_with(R"({"$type":"text","base64":")")) << length;
      EXPECT_TRUE(to_json("\"" + plain + "\xE2\x82").starts_with(R"({"$type":"text","base64":")")) << length;
    }
  }
}

}  // namespace
}  // namespace parlance::server
