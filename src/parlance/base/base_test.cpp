// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <gtest/gtest.h>

#include "parlance/base/base64.h"
#include "parlance/base/bytes.h"
#include "parlance/base/clock.h"
#include "parlance/base/error.h"
#include "parlance/base/secret.h"
#include "parlance/base/text.h"
#include "parlance/base/uri.h"
#include "parlance/base/utf8.h"

namespace parlance {
namespace {

TEST(Utf8, ValidSequencesAndNoOthers) {
  for (const char* good : {"", "ascii only, and long enough for words", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF",
                           "\xEE\x80\x80", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"})
    EXPECT_TRUE(is_valid_utf8(good)) << to_hex(good);
  for (const char* bad : {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80", "\xF4\x90\x80\x80",
                          "\xF5\x80\x80\x80", "\xE2\x82", "a long ascii run and then \xFF"})
    EXPECT_FALSE(is_valid_utf8(bad)) << to_hex(bad);
  EXPECT_EQ(to_valid_utf8("a\xFF"
                          "b\xE2\x82"),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD\xEF\xBF\xBD");
}

// Runs of ASCII are looked at 32 and 8 bytes at a time.
TEST(Utf8, OneByteIsFoundAtEveryPlaceOfEveryLength) {
  for (std::size_t length = 1; length <= 100; ++length) {
    EXPECT_TRUE(is_valid_utf8(std::string(length, 'x')));
    for (std::size_t place = 0; place < length; ++place) {
      std::string text(length, 'x');
      text[place] = '\x80';
      ASSERT_FALSE(is_valid_utf8(text)) << place << " of " << length;
      if (place == 0) continue;
      text[place - 1] = '\xC2';
      ASSERT_TRUE(is_valid_utf8(text)) << place << " of " << length;
    }
  }
}

TEST(Utf8, APrefixCutsNoCharacter) {
  EXPECT_EQ(utf8_prefix("a\xE4\xB8\xAD"
                        "b",
                        3),
            "a");
  EXPECT_EQ(utf8_prefix("a\xE4\xB8\xAD"
                        "b",
                        4),
            "a\xE4\xB8\xAD");
  EXPECT_EQ(utf8_prefix("abc", 9), "abc");
}

TEST(Base64, TheVectorsOfRfc4648) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"f", "Zg=="},
                                                         {"fo", "Zm8="},
                                                         {"foo", "Zm9v"},
                                                         {"foob", "Zm9vYg=="},
                                                         {"fooba", "Zm9vYmE="},
                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, coded] : vectors) {
    EXPECT_EQ(to_base64(plain), coded);
    EXPECT_EQ(from_base64(coded), plain);
  }
  for (const char* bad : {"Z", "Zg", "Zg=", "Z===", "Zg==Zg==", "Zm9v\n", "Zm9*"})
    EXPECT_EQ(from_base64(bad), std::nullopt) << bad;
}

TEST(Bytes, HexBothWays) {
  Bytes bytes;
  EXPECT_TRUE(from_hex("00 ff\n1A", bytes));
  EXPECT_EQ(to_hex(bytes), "00ff1a");
  EXPECT_FALSE(from_hex("0", bytes));
  EXPECT_FALSE(from_hex("0g", bytes));
}

TEST(Clock, Rfc3339BothWays) {
  const auto time = from_rfc3339("2026-03-01T09:30:00.125Z");
  ASSERT_TRUE(time);
  EXPECT_EQ(to_rfc3339(*time), "2026-03-01T09:30:00.125Z");
  EXPECT_EQ(from_rfc3339("2026-03-01T10:30:00.125999+01:00"), time);
  for (const char* bad : {"", "2026-03-01", "2026-13-01T00:00:00Z", "2026-02-30T00:00:00Z", "2026-03-01T24:00:00Z",
                          "2026-03-01T09:30:00", "2026-03-01T09:30:00Zx"})
    EXPECT_EQ(from_rfc3339(bad), std::nullopt) << bad;
}

TEST(Secret, TokensAndIdsDiffer) {
  EXPECT_EQ(make_token().size(), 43U);
  std::set<std::string> ids;
  for (int i = 0; i < 1000; ++i) ids.insert(make_id("x_"));
  EXPECT_EQ(ids.size(), 1000U);
  EXPECT_TRUE(equal_in_constant_time("secret", "secret"));
  EXPECT_FALSE(equal_in_constant_time("secret", "secreT"));
  EXPECT_FALSE(equal_in_constant_time("secret", "secret2"));
  EXPECT_FALSE(equal_in_constant_time("", "x"));
}

TEST(Uri, AddressesAndQueries) {
  EXPECT_EQ(parse_host_port("127.0.0.1:55003")->port, 55003);
  EXPECT_EQ(parse_host_port("[::1]:80")->host, "::1");
  for (const char* bad : {"", "localhost", ":80", "host:", "host:70000", "::1:80", "host:8x"})
    EXPECT_FALSE(parse_host_port(bad)) << bad;
  for (const char* ours : {"127.0.0.1", "127.8.9.255", "::1", "localhost"}) EXPECT_TRUE(is_loopback(ours)) << ours;
  for (const char* other : {"127.evil.example", "127.0.0.1.evil.example", "127.0.0.256", "10.0.0.1", "0.0.0.0", ""})
    EXPECT_FALSE(is_loopback(other)) << other;
  const auto query = parse_query("a=1&b=x%20y+z&c&d=%zz&a=2");
  EXPECT_EQ(*query.find("a"), "1");
  EXPECT_EQ(*query.find("b"), "x y z");
  EXPECT_EQ(*query.find("c"), "");
  EXPECT_EQ(*query.find("d"), "%zz");
  EXPECT_EQ(query.find("e"), nullptr);
  EXPECT_EQ(percent_decode(percent_encode("a/b c\xE4\xB8\xAD%")), "a/b c\xE4\xB8\xAD%");
}

TEST(Error, NamesTheOperation) {
  const Error error = Error{.code = Errc::not_found, .message = "no such table: orders"}.in("preview");
  EXPECT_EQ(error.message, "preview: no such table: orders");
  EXPECT_EQ(system_error("open x", 13).code, Errc::denied);
  for (const Errc code : all_error_codes) {
    EXPECT_FALSE(to_string(code).empty());
    EXPECT_EQ(error_code_named(to_string(code)), code);
  }
  EXPECT_EQ(error_code_named("no such code"), std::nullopt);
}

TEST(Text, SmallThings) {
  EXPECT_EQ(trim(" \t a b \n"), "a b");
  EXPECT_EQ(split("a,,b", ',').size(), 3U);
  EXPECT_TRUE(equal_ignoring_case("Content-Length", "content-LENGTH"));
  EXPECT_EQ(parse_number<int>("12"), 12);
  EXPECT_EQ(parse_number<int>("12x"), std::nullopt);
}

}  // namespace
}  // namespace parlance
