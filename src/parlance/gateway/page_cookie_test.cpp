// SPDX-License-Identifier: Apache-2.0
#include "parlance/gateway/page_cookie.h"

#include <gmock/gmock.h>

#include "parlance/gateway/auth.h"

namespace parlance::gateway {
namespace {

using testing::HasSubstr;
using testing::Not;

ServerRequest page_request(std::vector<HttpHeader> headers) {
  headers.push_back({.name = "Host", .value = "127.0.0.1:5500"});
  return {.method = "GET", .path = "/", .headers = std::move(headers)};
}
const HttpHeader our_origin{.name = "Origin", .value = "http://127.0.0.1:5500"};

// The cookie as a browser stores it: the text before the first semicolon.
HttpHeader kept(const std::string& set_cookie) {
  return {.name = "Cookie", .value = "a=b; " + set_cookie.substr(0, set_cookie.find(';'))};
}

TEST(PageCookie, AdmitsAKnownBrowserOnlyFromOurPage) {
  const PageCookie cookie("s3cret-token");
  const auto set = cookie.given_to(page_request({}));
  ASSERT_TRUE(set);
  EXPECT_TRUE(cookie.is_valid_in(page_request({kept(*set), our_origin})));
  EXPECT_TRUE(cookie.is_valid_in(page_request({kept(*set), {.name = "X-Parlance-Page", .value = "1"}})));
  EXPECT_FALSE(cookie.is_valid_in(page_request({kept(*set)}))) << "a link, or an image of another page";
  EXPECT_FALSE(cookie.is_valid_in(page_request({our_origin})));
  for (const char* other : {"http://127.0.0.1:5501", "http://localhost:5500", "null", "http://127.0.0.1:5500.evil.example"})
    EXPECT_FALSE(cookie.is_valid_in(page_request({kept(*set), {.name = "Origin", .value = other}}))) << other;
}
TEST(PageCookie, HoldsAsLongAsTheTokenAndIsNotTheToken) {
  const auto set = PageCookie("s3cret-token").given_to(page_request({}));
  ASSERT_TRUE(set);
  EXPECT_THAT(*set, Not(HasSubstr("s3cret")));
  EXPECT_TRUE(PageCookie("s3cret-token").is_valid_in(page_request({kept(*set), our_origin}))) << "after a restart";
  EXPECT_FALSE(PageCookie("another-token").is_valid_in(page_request({kept(*set), our_origin})));
  EXPECT_FALSE(PageCookie("").is_valid_in(page_request({kept(*set), our_origin})));
  EXPECT_FALSE(PageCookie("s3cret-token")
                   .is_valid_in(page_request({{.name = "Cookie", .value = "parlance_5500=s3cret-token"}, our_origin})));
  EXPECT_FALSE(PageCookie("s3cret-token").is_valid_in(page_request({{.name = "Cookie", .value = "parlance_5500="}, our_origin})));
}
TEST(PageCookie, IsKeptFromScriptsAndOtherSites) {
  const PageCookie cookie("s3cret-token");
  const auto set = cookie.given_to(page_request({our_origin}));
  ASSERT_TRUE(set);
  for (const char* manner : {"parlance_5500=", "; HttpOnly", "; SameSite=Strict", "; Path=/", "; Max-Age="})
    EXPECT_THAT(*set, HasSubstr(manner));
  EXPECT_THAT(*set, Not(HasSubstr("Secure"))) << "a browser would not send it over http";
  const auto tls = cookie.given_to(page_request({{.name = "Origin", .value = "https://127.0.0.1:5500"}}));
  ASSERT_TRUE(tls);
  EXPECT_THAT(*tls, HasSubstr("; Secure")) << "a proxy in front of us speaks TLS";
  EXPECT_THAT(PageCookie::taken_from(page_request({})), HasSubstr("parlance_5500=; Max-Age=0"));
}
TEST(PageCookie, CountsForThePageAndNotForClientsWithAQuery) {
  const Auth auth({.token = "s3cret-token"});
  const auto set = PageCookie("s3cret-token").given_to(page_request({}));
  ASSERT_TRUE(set);
  const ServerRequest ours = page_request({kept(*set), our_origin});
  EXPECT_EQ(auth.check_token(ours, Access::token).verdict, Verdict::fine);
  EXPECT_EQ(auth.check_token(ours, Access::socket).verdict, Verdict::fine);
  EXPECT_EQ(auth.check_token(ours, Access::socket_or_query).verdict, Verdict::no_token);
  EXPECT_EQ(auth.check_token(page_request({kept(*set)}), Access::token).verdict, Verdict::no_token);
}

}  // namespace
}  // namespace parlance::gateway
