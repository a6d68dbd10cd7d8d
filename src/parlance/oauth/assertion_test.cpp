// SPDX-License-Identifier: Apache-2.0
#include "parlance/oauth/assertion.h"

#include <gmock/gmock.h>

#include "parlance/base/base64url.h"
#include "parlance/base/text.h"
#include "parlance/codec/json/value.h"

namespace parlance::oauth {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Assertion, NamesClientIssuerAndTime) {
  const P256Key key = P256Key::generate().value();
  Form form;
  ASSERT_TRUE(add_assertion(form, key, "client", "https://auth.example", 1000));
  ASSERT_EQ(form.size(), 2U);
  EXPECT_EQ(form[0].second, "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
  const auto parts = split(form[1].second, '.');
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(from_base64url(parts[0]), R"({"alg":"ES256","typ":"JWT"})");
  const auto claims = json::parse_or_null(from_base64url(parts[1]).value_or(""));
  EXPECT_EQ(claims.text_or("iss", ""), "client");
  EXPECT_EQ(claims.text_or("sub", ""), "client");
  EXPECT_EQ(claims.text_or("aud", ""), "https://auth.example");
  EXPECT_EQ(claims.integer_or("exp", 0), 1300);
  EXPECT_EQ(from_base64url(parts[2]).value_or("").size(), 64U);
  Form again;
  ASSERT_TRUE(add_assertion(again, key, "client", "https://auth.example", 1000));
  EXPECT_NE(again[1].second, form[1].second) << "each assertion has its own id";
}

TEST(Assertion, AWorkloadSendsTheTokenOfItsPlatform) {
  const Login login{.resource = "https://mcp.example/mcp", .scope = "a"};
  EXPECT_THAT(workload_form(login, "a.b.c"),
              ElementsAre(Pair("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"), Pair("assertion", "a.b.c"),
                          Pair("resource", "https://mcp.example/mcp"), Pair("scope", "a")));
}

}  // namespace
}  // namespace parlance::oauth
