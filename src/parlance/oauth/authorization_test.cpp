// SPDX-License-Identifier: Apache-2.0
// The whole login against a server on this machine, which is the MCP server and its authorization server.
#include "parlance/oauth/authorization.h"

#include <cstdlib>
#include <filesystem>
#include <sys/stat.h>

#include <gmock/gmock.h>

#include "parlance/async/scope.h"
#include "parlance/base/text.h"
#include "parlance/transport/private_file.h"

namespace parlance::oauth {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class TemporaryFolder {
 public:
  TemporaryFolder() {
    if (::mkdtemp(path_.data()) == nullptr) std::abort();
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = testing::TempDir() + "oauth_XXXXXX";
};

class AuthorizationTest : public testing::Test {
 protected:
  AuthorizationTest() {
    auto listening =
        HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, [this](HttpExchange& exchange) { return answer(exchange); });
    EXPECT_TRUE(listening);
    server = *std::move(listening);
    origin = "http://127.0.0.1:" + std::to_string(server->port());
  }
  ~AuthorizationTest() override { loop.block_on(server->drain(loop.now())); }

  AuthorizationSettings settings() {
    return {.url = origin + "/mcp", .state_folder = folder.path(), .hint = "Run `parlance mcp login x`"};
  }
  // A person with a browser: the page redirects at once.
  AuthorizationSettings with_person() {
    AuthorizationSettings made = settings();
    made.open_page = [this](std::string url) -> Task<Result<void>> {
      opened.push_back(url);
      HttpRequest request{.url = url};
      const auto page = co_await browser.fetch(std::move(request));
      if (!page) co_return std::unexpected(page.error());
      page_text = page->body;
      co_return Result<void>{};
    };
    return made;
  }
  std::string call(Authorization& authorization) {
    HttpRequest request{.method = "POST", .url = origin + "/mcp", .body = "{}"};
    const auto response = loop.block_on(send_authorized(
        &authorization, std::move(request), [&](HttpRequest http_request) { return browser.fetch(std::move(http_request)); }));
    return response ? std::to_string(response->status) : response.error().message;
  }
  std::string log_in(Authorization& authorization) {
    const auto done = loop.block_on(authorization.log_in());
    return done ? "done" : done.error().message;
  }

  HttpReply reply_to(const ServerRequest& request) {
    const auto json = [](int status, std::string text) {
      return HttpReply{.status = status, .body = std::move(text)}.with("Content-Type", "application/json");
    };
    seen.push_back(request.path);
    if (request.path == "/mcp") return mcp(request);
    if (request.path == "/.well-known/oauth-protected-resource/mcp")
      return json(200, R"({"resource":")" + origin + R"(/mcp","authorization_servers":[")" + issuer() + R"("]})");
    if (request.path == "/.well-known/oauth-authorization-server" + tenant)
      return json(
          200, R"({"issuer":")" + issuer() + R"(","authorization_endpoint":")" + origin + R"(/authorize","token_endpoint":")" +
                   origin + R"(/token","registration_endpoint":")" + origin +
                   R"(/register","code_challenge_methods_supported":["S256"],"token_endpoint_auth_methods_supported":["none"]})");
    if (request.path == "/register") return json(201, R"({"client_id":"client)" + std::to_string(++registrations) + R"("})");
    if (request.path == "/authorize") return authorize(request);
    if (request.path == "/token") return token(parse_query(request.body));
    return HttpReply{.status = 404};
  }
  HttpReply mcp(const ServerRequest& request) {
    const std::string* const token = request.header("Authorization");
    if (token != nullptr && *token == "Bearer " + accepted && !accepted.empty())
      return demanded.empty() ? HttpReply{.status = 200}
                              : HttpReply{.status = 403}.with("WWW-Authenticate",
                                                              R"(Bearer error="insufficient_scope", scope=")" + demanded + "\"");
    if (is_open) return HttpReply{.status = 200};
    return HttpReply{.status = 401}.with("WWW-Authenticate", R"(Bearer scope="a")");
  }
  HttpReply authorize(const ServerRequest& request) {
    scopes.push_back(request.query.find("scope") == nullptr ? "" : *request.query.find("scope"));
    const std::string state = wrong_state ? "guessed" : *request.query.find("state");
    return HttpReply{.status = 302}.with("Location", *request.query.find("redirect_uri") + "?code=c&state=" + state);
  }
  HttpReply token(const QueryParameters& form) {
    grants.push_back(*form.find("grant_type"));
    const bool is_newest = form.find("refresh_token") != nullptr && *form.find("refresh_token") == "refresh_" + accepted;
    if (grants.back() == "refresh_token" && (!refreshes || (rotates && !is_newest)))
      return HttpReply{.status = 400, .body = R"({"error":"invalid_grant"})"};
    accepted = "token" + std::to_string(grants.size());
    return HttpReply{.body = R"({"access_token":")" + accepted + R"(","token_type":"Bearer","expires_in":)" +
                             std::to_string(lifetime) + R"(,"refresh_token":"refresh_)" + accepted + R"("})"};
  }
  std::string issuer() const { return origin + tenant; }
  Task<void> answer(HttpExchange& exchange) { static_cast<void>(co_await exchange.respond(reply_to(exchange.request()))); }

  Loop loop;
  TemporaryFolder folder;
  HttpClient browser{loop};
  std::unique_ptr<HttpServer> server;
  std::string origin;
  std::string tenant;
  std::string accepted;  // the token that counts
  std::string demanded;  // scope of a 403
  bool refreshes = true;
  bool rotates = false;  // accepts each refresh token once
  bool wrong_state = false;
  bool is_open = false;  // accepts requests without a token
  int lifetime = 3600;
  int registrations = 0;
  std::string page_text;
  std::vector<std::string> opened;
  std::vector<std::string> seen;
  std::vector<std::string> scopes;
  std::vector<std::string> grants;
};

TEST_F(AuthorizationTest, APersonLogsInOnceAndTheLoginIsPrivate) {
  Authorization first(loop, with_person());
  EXPECT_EQ(call(first), "200");
  EXPECT_THAT(scopes, ElementsAre("a"));
  EXPECT_THAT(page_text, HasSubstr("You can close this page"));
  Authorization second(loop, settings());
  EXPECT_EQ(call(second), "200") << "from the file";
  EXPECT_EQ(opened.size(), 1U);
  const LoginFile file(folder.path(), origin + "/mcp");
  struct stat status{};
  ASSERT_EQ(::stat(file.path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  ASSERT_EQ(::stat(std::filesystem::path(file.path()).parent_path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
  ::chmod(file.path().c_str(), 0644);
  Authorization third(loop, settings());
  EXPECT_THAT(call(third), HasSubstr("chmod 600"));
}

TEST_F(AuthorizationTest, WithoutAPersonTheErrorNamesTheCommand) {
  Authorization nobody(loop, settings());
  EXPECT_EQ(call(nobody), "401: the server requires a login. Run `parlance mcp login x`");
  EXPECT_THAT(seen, ElementsAre("/mcp")) << "nothing else is requested";
}

TEST_F(AuthorizationTest, AnExpiredTokenIsRefreshedBeforeTheRequest) {
  lifetime = 5;
  Authorization authorization(loop, with_person());
  EXPECT_EQ(call(authorization), "200");
  lifetime = 3600;
  EXPECT_EQ(call(authorization), "200");
  EXPECT_EQ(call(authorization), "200");
  EXPECT_THAT(grants, ElementsAre("authorization_code", "refresh_token", "refresh_token"));
  EXPECT_EQ(opened.size(), 1U);
}

TEST_F(AuthorizationTest, TwoProgramsRefreshALoginOnce) {
  rotates = true;
  lifetime = 5;
  Authorization person(loop, with_person());
  EXPECT_EQ(call(person), "200");
  grants.clear();
  lifetime = 3600;
  Authorization first(loop, settings());
  Authorization second(loop, settings());
  std::string results;
  Scope programs(loop);
  const auto run = [&](Authorization& authorization) -> Task<void> {
    HttpRequest request{.method = "POST", .url = origin + "/mcp", .body = "{}"};
    const auto response = co_await send_authorized(&authorization, std::move(request),
                                                   [&](HttpRequest wanted) { return browser.fetch(std::move(wanted)); });
    results += response ? std::to_string(response->status) + " " : response.error().message;
  };
  programs.start(run(first));
  programs.start(run(second));
  loop.block_on(programs.join());
  EXPECT_EQ(results, "200 200 ");
  EXPECT_THAT(grants, ElementsAre("refresh_token"));
}

TEST_F(AuthorizationTest, ALoginThatAnotherProgramRemovedIsNotRefreshed) {
  lifetime = 5;
  Authorization person(loop, with_person());
  EXPECT_EQ(call(person), "200");
  grants.clear();
  Authorization later(loop, settings());
  lifetime = 3600;
  EXPECT_EQ(call(later), "200") << "has the login in memory";
  accepted = "revoked";
  ASSERT_TRUE(LoginFile(folder.path(), origin + "/mcp").remove());
  EXPECT_THAT(call(later), HasSubstr("Run `parlance mcp login x`"));
  EXPECT_THAT(grants, ElementsAre("refresh_token"));
}

TEST_F(AuthorizationTest, ARefusedTokenIsRefreshedElseAPersonIsNeeded) {
  Authorization person(loop, with_person());
  EXPECT_EQ(call(person), "200");
  accepted = "revoked";
  Authorization later(loop, settings());
  EXPECT_EQ(call(later), "200");
  EXPECT_THAT(grants, ElementsAre("authorization_code", "refresh_token"));
  accepted = "revoked";
  refreshes = false;
  Authorization last(loop, settings());
  EXPECT_THAT(call(last), AllOf(HasSubstr("401: "), HasSubstr("Run `parlance mcp login x`")));
  const auto login = LoginFile(folder.path(), origin + "/mcp").load();
  ASSERT_TRUE(login && *login);
  EXPECT_FALSE((*login)->access_token || (*login)->refresh_token) << "refused tokens are not sent again";
}

TEST_F(AuthorizationTest, AnotherIssuerStartsAgain) {
  Authorization authorization(loop, with_person());
  EXPECT_EQ(call(authorization), "200");
  accepted = "of the other";
  tenant = "/t2";
  EXPECT_EQ(call(authorization), "200");
  EXPECT_EQ(registrations, 2);
  EXPECT_THAT(grants, ElementsAre("authorization_code", "authorization_code")) << "the refresh token stays at its issuer";
}

TEST_F(AuthorizationTest, AStepUpKeepsScopesAndEnds) {
  Authorization authorization(loop, with_person());
  EXPECT_EQ(call(authorization), "200");
  demanded = "b";
  EXPECT_THAT(call(authorization), HasSubstr("403: the login does not suffice, the server demands b"));
  EXPECT_THAT(scopes, ElementsAre("a", "a b")) << "a demand that remains after the login is final";
  EXPECT_EQ(registrations, 1) << "the port of the registration is used again";
}

TEST_F(AuthorizationTest, ARedirectWithAnotherStateIsIgnored) {
  wrong_state = true;
  Authorization authorization(loop, with_person());
  auto waiting = [&]() -> Task<void> {
    auto logged_in = co_await with_deadline(loop, loop.now() + std::chrono::milliseconds(100), authorization.log_in());
    EXPECT_FALSE(logged_in);
  };
  loop.block_on(waiting());
  EXPECT_THAT(page_text, HasSubstr("belongs to no open login"));
  EXPECT_THAT(grants, testing::IsEmpty());
}

TEST_F(AuthorizationTest, ALoginWhereNoneIsRequiredIsAnError) {
  Authorization person(loop, with_person());
  EXPECT_EQ(log_in(person), "done");
  is_open = true;
  EXPECT_THAT(log_in(person), HasSubstr("accepts requests without a login"));
}

TEST_F(AuthorizationTest, ErrorsHaveNoQuery) {
  AuthorizationSettings keyed = with_person();
  keyed.url = origin + "/mcp?key=secret";
  is_open = true;
  Authorization authorization(loop, keyed);
  EXPECT_THAT(log_in(authorization), AllOf(HasSubstr(origin + "/mcp accepts requests"), Not(HasSubstr("secret"))));
  EXPECT_THAT(parse_address("https://a.example:x/?key=secret").error().message, Not(HasSubstr("secret")));
}

TEST_F(AuthorizationTest, PlainHttpBeyondThisMachineIsRefused) {
  AuthorizationSettings plain = with_person();
  plain.url = "http://mcp.example/mcp";
  Authorization remote(loop, plain);
  EXPECT_THAT(log_in(remote), HasSubstr("Use an https address"));
}

TEST_F(AuthorizationTest, ADamagedFileIsAnErrorWithItsName) {
  const LoginFile file(folder.path(), origin + "/mcp");
  for (const char* text :
       {"", "{}", "null", "[]",
        R"({"server":"https://other.example","issuer":"i","token_endpoint":"t","client_id":"c","client_method":"none"})"}) {
    ASSERT_TRUE(file.save({.server = origin + "/mcp"}));
    ASSERT_TRUE(write_private_file(file.path(), text));
    Authorization authorization(loop, settings());
    EXPECT_THAT(call(authorization), AllOf(HasSubstr(file.path()), HasSubstr("log in again"))) << text;
  }
  EXPECT_TRUE(file.remove().value());
  EXPECT_FALSE(file.remove().value());
}

}  // namespace
}  // namespace parlance::oauth
