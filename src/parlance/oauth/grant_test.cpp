// SPDX-License-Identifier: Apache-2.0
#include "parlance/oauth/grant.h"

#include <gmock/gmock.h>

#include "parlance/base/base64.h"

namespace parlance::oauth {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Login client(std::string method) {
  return {.server = "https://mcp.example/mcp",
          .issuer = "https://auth.example",
          .token_endpoint = "https://auth.example/t",
          .resource = "https://mcp.example/mcp",
          .client_id = "id:1",
          .client_secret = "s&cret",
          .client_method = std::move(method),
          .redirect_uri = "http://127.0.0.1:1/callback",
          .scope = "a b"};
}

TEST(Grant, TheChallengeIsTheDigestOfTheVerifier) {
  // RFC 7636, appendix B.
  const LoginSecrets secrets{.verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"};
  EXPECT_EQ(secrets.challenge(), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  const LoginSecrets made = LoginSecrets::make();
  EXPECT_EQ(made.verifier.size(), 43U);
  EXPECT_NE(made.verifier, made.state);
  EXPECT_NE(made.state, LoginSecrets::make().state);
}

TEST(Grant, TheLoginPageReceivesChallengeStateAndResource) {
  ServerMetadata server;
  server.authorization_endpoint = "https://auth.example/a?x=1";
  const std::string url = authorization_url(server, client("none"), {.verifier = "v", .state = "s"});
  EXPECT_THAT(url, AllOf(HasSubstr("https://auth.example/a?x=1&response_type=code&client_id=id%3A1"), HasSubstr("&state=s&"),
                         HasSubstr("&code_challenge_method=S256"), HasSubstr("&resource=https%3A%2F%2Fmcp.example%2Fmcp"),
                         HasSubstr("&scope=a%20b"), Not(HasSubstr("s%26cret")), Not(HasSubstr("code_verifier"))));
}

std::string body_or_header(const std::string& method) {
  const HttpRequest request = token_request(client(method), {{"grant_type", "x"}});
  const std::string* const header = find_header(request.headers, "Authorization");
  return request.body + (header == nullptr ? "" : " " + *header);
}

TEST(Grant, AClientIdentifiesItselfAsRegistered) {
  EXPECT_EQ(body_or_header("none"), "grant_type=x&client_id=id%3A1");
  EXPECT_EQ(body_or_header("client_secret_post"), "grant_type=x&client_id=id%3A1&client_secret=s%26cret");
  EXPECT_EQ(body_or_header("client_secret_basic"), "grant_type=x Basic " + to_base64("id%3A1:s%26cret"));
}

TEST(Grant, TheMethodFollowsRegistrationAndMetadata) {
  ServerMetadata server;
  EXPECT_EQ(client_method(server, false, ""), "none");
  EXPECT_EQ(client_method(server, true, ""), "client_secret_basic");
  server.token_endpoint_auth_methods_supported = Texts{"client_secret_post"};
  EXPECT_EQ(client_method(server, true, ""), "client_secret_post");
  EXPECT_EQ(client_method(server, true, "client_secret_basic"), "client_secret_basic");
  EXPECT_EQ(client_method(server, true, "private_key_jwt"), "client_secret_post");
  EXPECT_EQ(registration(server, "r").token_endpoint_auth_method, "client_secret_post");
  server.token_endpoint_auth_methods_supported = Texts{"private_key_jwt"};
  EXPECT_EQ(registration(server, "r").token_endpoint_auth_method, "client_secret_basic");
  server.token_endpoint_auth_methods_supported.reset();
  EXPECT_EQ(registration(server, "r").token_endpoint_auth_method, "none");
}

// ---- the redirect

std::string redirected(std::string_view query, std::optional<bool> names_issuer = std::nullopt) {
  ServerMetadata server;
  server.issuer = "https://auth.example";
  server.authorization_response_iss_parameter_supported = names_issuer;
  const auto code = read_redirect(server, parse_query(query));
  return code ? "code " + *code : code.error().message;
}

TEST(Redirect, HasACodeOrAReason) {
  EXPECT_EQ(redirected("code=c&state=s"), "code c");
  EXPECT_EQ(redirected("code=c&iss=https%3A%2F%2Fauth.example", true), "code c");
  EXPECT_THAT(redirected(""), HasSubstr("no code"));
  EXPECT_THAT(redirected("code="), HasSubstr("no code"));
  EXPECT_THAT(redirected("error=access_denied&error_description=not%0Ayou&code=c"), AllOf(HasSubstr("access_denied (not␊you)")));
}

TEST(Redirect, OfAnotherIssuerDoesNotCount) {
  EXPECT_THAT(redirected("code=c", true), HasSubstr("names no issuer"));
  for (const char* other : {"https://evil.example", "https://auth.example/", "https://AUTH.example", ""})
    EXPECT_THAT(redirected("code=c&iss=" + percent_encode(other)), HasSubstr("not of \"https://auth.example\"")) << other;
  EXPECT_THAT(redirected("error=x&iss=https://evil.example"), HasSubstr("not of")) << "an error of a stranger, too";
}

// ---- answers

std::string taken(int status, std::string_view body, Login* into = nullptr) {
  Login login = client("none");
  login.refresh_token = "old";
  const auto done = take_tokens(login, {.status = status, .body = std::string(body)}, 1000);
  if (into != nullptr) *into = login;
  return done ? "taken" : done.error().message;
}

TEST(TokenAnswers, SetTokensAndTheirEnd) {
  Login login;
  EXPECT_EQ(taken(200, R"({"access_token":"t","token_type":"bearer","expires_in":60,"refresh_token":"new","x":1})", &login),
            "taken");
  EXPECT_EQ(login.access_token, "t");
  EXPECT_EQ(login.refresh_token, "new");
  EXPECT_EQ(login.expires_at, 1060);
  EXPECT_EQ(taken(200, R"({"access_token":"t","token_type":"Bearer","refresh_token":null})", &login), "taken");
  EXPECT_EQ(login.refresh_token, "old") << "without a new one, the old one stays valid";
  EXPECT_EQ(login.expires_at, std::nullopt);
  EXPECT_EQ(taken(200, R"({"access_token":"t","token_type":"Bearer","expires_in":-5})", &login), "taken");
  EXPECT_EQ(login.expires_at, std::nullopt);
  EXPECT_EQ(taken(200, R"({"access_token":"t","token_type":"Bearer","expires_in":9223372036854775807})", &login), "taken");
  EXPECT_LT(*login.expires_at, std::int64_t{1} << 40);
}

TEST(TokenAnswers, AnUnusableOneChangesNothing) {
  for (const char* wrong :
       {"", "null", "{}", R"({"access_token":"t"})", R"({"access_token":null,"token_type":"Bearer"})",
        R"({"access_token":"","token_type":"Bearer"})", R"({"access_token":"a\r\nX: y","token_type":"Bearer"})",
        R"({"access_token":5,"token_type":"Bearer"})", R"({"access_token":"t","token_type":"mac"})",
        R"({"access_token":"t","token_type":"Bearer","expires_in":"60"})"}) {
    Login login;
    EXPECT_NE(taken(200, wrong, &login), "taken") << wrong;
    EXPECT_EQ(login.access_token, std::nullopt) << wrong;
  }
}

TEST(TokenAnswers, ARefusalHasItsReasonAndNoSecret) {
  EXPECT_EQ(taken(400, R"({"error":"invalid_grant","error_description":"expired"})"),
            "the token request was refused: invalid_grant (expired)");
  EXPECT_EQ(taken(400, "<html>"), "the token request was refused: HTTP status 400");
  EXPECT_EQ(taken(400, R"({"error":{"x":1}})"), "the token request was refused: HTTP status 400");
}

std::string registered(std::string_view body, Login* into = nullptr, int status = 201) {
  Login login;
  const auto done =
      take_registration(login, registration({}, "http://127.0.0.1:1/callback"), {.status = status, .body = std::string(body)});
  if (into != nullptr) *into = login;
  return done ? login.client_method : done.error().message;
}

TEST(Registration, DecidesTheMethod) {
  Login login;
  EXPECT_EQ(registered(R"({"client_id":"i","client_secret":"s"})", &login), "none") << "as requested";
  EXPECT_EQ(login.client_secret, std::nullopt);
  EXPECT_EQ(registered(R"({"client_id":"i","client_secret":"s","token_endpoint_auth_method":"client_secret_post"})", &login),
            "client_secret_post");
  EXPECT_EQ(login.client_secret, "s");
  EXPECT_EQ(login.redirect_uri, "http://127.0.0.1:1/callback");
  EXPECT_EQ(registered(R"({"client_id":"i","client_secret":null,"token_endpoint_auth_method":"client_secret_basic"})"), "none");
}

TEST(Registration, AnUnusableAnswerIsRefused) {
  for (const char* wrong : {"", "null", "{}", R"({"client_id":""})", R"({"client_id":null})", R"({"client_id":5})",
                            R"({"client_id":"i","client_secret":5})",
                            R"({"client_id":"i","client_secret":"s","token_endpoint_auth_method":"private_key_jwt"})"})
    EXPECT_THAT(registered(wrong), HasSubstr("registration")) << wrong;
  EXPECT_THAT(registered(R"({"error":"invalid_redirect_uri"})", nullptr, 400), HasSubstr("invalid_redirect_uri"));
}

}  // namespace
}  // namespace parlance::oauth
