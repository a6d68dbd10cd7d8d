// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/uri.h"

#include <gtest/gtest.h>

namespace parlance {
namespace {

TEST(PercentCoding, OnlyTheUnreservedCharactersStandAsTheyAre) {
  EXPECT_EQ(percent_encode("azAZ09-._~"), "azAZ09-._~");
  EXPECT_EQ(percent_encode("a b/c?d#e%f&g=h+i"), "a%20b%2Fc%3Fd%23e%25f%26g%3Dh%2Bi");
  EXPECT_EQ(percent_encode(std::string_view("\0\xFF", 2)), "%00%FF");
  EXPECT_EQ(percent_encode(""), "");
}

TEST(PercentCoding, EveryByteComesBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(percent_decode(percent_encode(all)), all);
}

TEST(PercentCoding, EscapesAreOfEitherCaseAndDecodedOnce) {
  EXPECT_EQ(percent_decode("%2f%2F"), "//");
  EXPECT_EQ(percent_decode("%2525"), "%25");
  EXPECT_EQ(percent_decode("a+b"), "a+b") << "a plus is a blank in queries alone";
}

TEST(PercentCoding, ABrokenEscapeIsNothing) {
  for (const char* bad : {"%", "%4", "a%", "%zz", "%4g", "%g4", "% 41", "%%41", "%-1", "%+1", "a%2"})
    EXPECT_EQ(percent_decode(bad), std::nullopt) << bad;
  EXPECT_EQ(percent_decode("%41"), "A") << "one that ends the text is whole";
}

TEST(Query, PairsComeInTheirOrderAndTheFirstOfANameIsFound) {
  const QueryParameters query = parse_query("b=2&a=1&b=3");
  ASSERT_EQ(query.items.size(), 3U);
  EXPECT_EQ(query.items[0].first, "b");
  EXPECT_EQ(query.items[2].second, "3");
  EXPECT_EQ(*query.find("b"), "2");
}

TEST(Query, NamesAndValuesAreDecodedAndMayBeMissing) {
  EXPECT_TRUE(parse_query("").items.empty());
  EXPECT_EQ(*parse_query("a").find("a"), "");
  EXPECT_EQ(*parse_query("a=").find("a"), "");
  EXPECT_EQ(*parse_query("=x").find(""), "x");
  EXPECT_EQ(*parse_query("a=b=c").find("a"), "b=c");
  EXPECT_EQ(*parse_query("a%26b=c%3Dd").find("a&b"), "c=d");
  EXPECT_EQ(*parse_query("a+b=c+d%2B").find("a b"), "c d+");
  EXPECT_EQ(parse_query("a&&b").items.size(), 3U);
  EXPECT_EQ(*parse_query("a=%4").find("a"), "%4") << "kept as it stands";
}

TEST(HostPort, TheLastColonIsBeforeThePort) {
  const auto host_and_port = [](std::string_view text) {
    const auto parsed = parse_host_port(text);
    return parsed ? parsed->host + " " + std::to_string(parsed->port) : "none";
  };
  EXPECT_EQ(host_and_port("localhost:0"), "localhost 0");
  EXPECT_EQ(host_and_port("localhost:65535"), "localhost 65535");
  EXPECT_EQ(host_and_port("[::1]:80"), "::1 80");
  EXPECT_EQ(host_and_port("[fe80::1%lo]:80"), "fe80::1%lo 80");
  for (const char* bad : {"localhost:65536", "localhost:-1", "localhost:+1", "localhost: 1", "localhost:1 ", "localhost:0x1",
                          "[]:80", "[::1]", "[::1]80", "::1", "a:b:1", "host:", ":"})
    EXPECT_EQ(host_and_port(bad), "none") << bad;
}

TEST(Loopback, IsWrittenInFullOrByName) {
  for (const char* ours : {"127.0.0.0", "127.255.255.255", "localhost", "::1"}) EXPECT_TRUE(is_loopback(ours)) << ours;
  for (const char* other :
       {"127.1", "127.0.0.1.", ".127.0.0.1", "127.0.0.", "127.0.0.-1", "127.0.0.1 ", "0127.0.0.1", "128.0.0.1", "LOCALHOST",
        "localhost.", "localhost.evil.example", "::", "[::1]", "::ffff:127.0.0.1", "0:0:0:0:0:0:0:1"})
    EXPECT_FALSE(is_loopback(other)) << other;
}

}  // namespace
}  // namespace parlance
