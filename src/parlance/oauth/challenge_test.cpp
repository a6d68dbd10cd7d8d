// SPDX-License-Identifier: Apache-2.0
#include "parlance/oauth/challenge.h"

#include <string>

#include <gmock/gmock.h>

#include "parlance/oauth/limits.h"

namespace parlance::oauth {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

std::vector<std::string> schemes(std::string_view header) {
  std::vector<std::string> all;
  for (const Challenge& challenge : parse_challenges(header)) all.push_back(challenge.scheme);
  return all;
}

TEST(Challenges, ParametersAreTokensOrQuotedTexts) {
  const auto all = parse_challenges(R"(Bearer realm="a \"b\", c", Scope = "x y",error=invalid_token)");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_THAT(all[0].parameters, ElementsAre(Pair("error", "invalid_token"), Pair("realm", "a \"b\", c"), Pair("scope", "x y")));
}

TEST(Challenges, AHeaderMayHaveSeveral) {
  EXPECT_THAT(schemes(R"(Basic realm="x", Bearer scope="a", DPoP algs="ES256")"), ElementsAre("basic", "bearer", "dpop"));
  EXPECT_THAT(schemes("Negotiate YWJj==, Bearer"), ElementsAre("negotiate", "bearer"));
  EXPECT_THAT(schemes(", ,Bearer,"), ElementsAre("bearer"));
}

TEST(Challenges, AMalformedPartEndsTheList) {
  EXPECT_THAT(schemes(""), IsEmpty());
  EXPECT_THAT(schemes("=x"), IsEmpty());
  EXPECT_THAT(schemes(R"(scope="a")"), IsEmpty()) << "a parameter without a scheme";
  const auto open = parse_challenges(R"(Bearer error=a, scope="never closed)");
  ASSERT_EQ(open.size(), 1U);
  EXPECT_THAT(open[0].parameters, ElementsAre(Pair("error", "a")));
  EXPECT_THAT(parse_challenges(R"(Bearer scope=)")[0].parameters, IsEmpty());
}

TEST(Challenges, TheFirstOfRepeatedParametersCounts) {
  EXPECT_EQ(parse_challenges(R"(Bearer scope="a", scope="b")")[0].parameter("scope"), "a");
  EXPECT_EQ(Challenge{}.parameter("scope"), "");
}

TEST(Challenges, SizeAndNumberAreBounded) {
  EXPECT_THAT(schemes("Bearer a=\"" + std::string(limits::oauth_header_bytes, 'x') + "\""), IsEmpty());
  std::string many = "Bearer";
  for (int i = 0; i < 1000; ++i) many += (i == 0 ? " a" : ", a") + std::to_string(i) + "=1";
  EXPECT_LE(parse_challenges(many).at(0).parameters.size(), limits::oauth_parameters);
}

TEST(Challenges, BearerComesBeforeOthers) {
  EXPECT_EQ(token_challenge({{"www-authenticate", "Basic realm=x"}, {"WWW-Authenticate", "DPoP a=1, Bearer scope=s"}})
                .parameter("scope"),
            "s");
  EXPECT_EQ(token_challenge({{"WWW-Authenticate", "DPoP algs=x"}}).scheme, "dpop");
  EXPECT_EQ(token_challenge({{"WWW-Authenticate", "Basic realm=x"}}).scheme, "");
  EXPECT_EQ(token_challenge({}).scheme, "");
}

}  // namespace
}  // namespace parlance::oauth
