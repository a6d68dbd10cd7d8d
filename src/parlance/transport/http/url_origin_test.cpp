// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/url_origin.h"

#include <gtest/gtest.h>

namespace parlance {
namespace {

class UrlOriginTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!curl_library()) GTEST_SKIP() << curl_library().error().message;
  }
  static std::string origin_text(const std::string& url) {
    const auto origin = origin_of(*curl_library(), url);
    return origin ? origin->scheme + " " + origin->host + " " + origin->port : origin.error().message;
  }
};

TEST_F(UrlOriginTest, ContainsSchemeHostAndPortAlsoTheUsualPort) {
  EXPECT_EQ(origin_text("http://host/a?b#c"), "http host 80");
  EXPECT_EQ(origin_text("https://host"), "https host 443");
  EXPECT_EQ(origin_text("https://host:8443/a"), "https host 8443");
  EXPECT_EQ(origin_text("HTTP://HOST.Example/"), "http host.example 80");
  EXPECT_EQ(origin_text("http://[::1]:8080/"), "http [::1] 8080");
  EXPECT_EQ(origin_text("http://user:secret@host/"), "http host 80");
}

TEST_F(UrlOriginTest, TheSameServerIsEqualInEverySpelling) {
  const auto of = [](const std::string& url) { return *origin_of(*curl_library(), url); };
  EXPECT_EQ(of("http://host/a"), of("http://HOST:80/b?c"));
  EXPECT_NE(of("http://host/"), of("https://host/"));
  EXPECT_NE(of("http://host/"), of("http://host:81/"));
  EXPECT_NE(of("http://host/"), of("http://host.example/"));
}

// The apparent host of a URL is not always the requested host.
TEST_F(UrlOriginTest, TheHostIsTheRequestedHost) {
  EXPECT_EQ(origin_text("http://good.example@evil.example/"), "http evil.example 80");
  EXPECT_EQ(origin_text("http://evil.example/@good.example"), "http evil.example 80");
  EXPECT_EQ(origin_text("http://evil.example?@good.example/"), "http evil.example 80");
}

TEST_F(UrlOriginTest, OtherSchemesAreRefused) {
  EXPECT_EQ(origin_text("ftp://host/a"), "not an http or https URL: ftp://host/a");
  EXPECT_EQ(origin_text("file:///etc/passwd"), "not an http or https URL: file:///etc/passwd");
}

TEST_F(UrlOriginTest, AMalformedUrlIsRefusedWithoutItsSecrets) {
  for (const char* bad : {"", "host/a", "/a", "http://", "http:// host/", "http://host:70000/", "http://host:x/"}) {
    const auto origin = origin_of(*curl_library(), bad);
    ASSERT_FALSE(origin) << bad;
    EXPECT_EQ(origin.error().code, Errc::invalid_request);
  }
  EXPECT_EQ(origin_text("http://user:secret@host:x/a?key=secret"), "not a URL: http://host:x/a");
}

TEST(PresentableUrl, HasNeitherUserNorPasswordNorQuery) {
  EXPECT_EQ(presentable("https://host/a/b"), "https://host/a/b");
  EXPECT_EQ(presentable("https://user:pass@host:1/a?key=1#part"), "https://host:1/a");
  EXPECT_EQ(presentable("https://user@host"), "https://host");
  EXPECT_EQ(presentable("https://a@b@host/"), "https://host/");
  EXPECT_EQ(presentable("https://host/@path"), "https://host/@path");
  EXPECT_EQ(presentable("https://user:pass@host?key=1"), "https://host");
  EXPECT_EQ(presentable("host?key=1"), "host");
  EXPECT_EQ(presentable(""), "");
}

}  // namespace
}  // namespace parlance
