// SPDX-License-Identifier: Apache-2.0
#include "parlance/gateway/auth.h"

#include <gtest/gtest.h>

namespace parlance::gateway {
namespace {

constexpr std::string_view token = "s3cret-token";

ServerRequest request_with(std::vector<HttpHeader> headers, std::string query = "") {
  return {.method = "GET", .path = "/", .query = parse_query(query), .headers = std::move(headers)};
}

Auth auth() { return Auth({.token = std::string(token), .hosts = {"devbox.lan"}, .origins = {"https://chat.example"}}); }

// ---- the token -------------------------------------------------------------------------------------------------------

struct TokenCase {
  std::string_view name;
  std::vector<HttpHeader> headers;
  std::string query;
  Verdict token;            // expected for Access::token,
  Verdict socket;           // Access::socket,
  Verdict socket_or_query;  // Access::socket_or_query
};

class TokenTest : public testing::TestWithParam<TokenCase> {};

TEST_P(TokenTest, ATokenCountsOnlyOutOfReachOfForeignPages) {
  const TokenCase& c = GetParam();
  const ServerRequest request = request_with(c.headers, c.query);
  EXPECT_EQ(auth().check_token(request, Access::open).verdict, Verdict::fine);
  EXPECT_EQ(auth().check_token(request, Access::token).verdict, c.token);
  EXPECT_EQ(auth().check_token(request, Access::socket).verdict, c.socket);
  EXPECT_EQ(auth().check_token(request, Access::socket_or_query).verdict, c.socket_or_query);
}

constexpr Verdict yes = Verdict::fine;
constexpr Verdict none = Verdict::no_token;
constexpr Verdict wrong = Verdict::wrong_token;

INSTANTIATE_TEST_SUITE_P(
    Places, TokenTest,
    testing::Values(
        TokenCase{"nothing", {}, "", none, none, none},
        TokenCase{"bearer", {{"Authorization", "Bearer s3cret-token"}}, "", yes, yes, yes},
        TokenCase{"bearer_in_any_case", {{"authorization", "bEARER  s3cret-token "}}, "", yes, yes, yes},
        TokenCase{"bearer_wrong", {{"Authorization", "Bearer other"}}, "", wrong, wrong, wrong},
        TokenCase{"bearer_prefix", {{"Authorization", "Bearer s3cret-toke"}}, "", wrong, wrong, wrong},
        TokenCase{"bearer_empty", {{"Authorization", "Bearer "}}, "", none, none, none},
        TokenCase{"basic", {{"Authorization", "Basic czNjcmV0LXRva2Vu"}}, "", none, none, none},
        TokenCase{"without_scheme", {{"Authorization", "s3cret-token"}}, "", none, none, none},
        TokenCase{"deployed_header", {{"X-OCG-UI-Token", "s3cret-token"}}, "", yes, yes, yes},
        TokenCase{"deployed_header_wrong", {{"X-OCG-UI-Token", "x"}}, "", wrong, wrong, wrong},
        TokenCase{"one_of_two_is_right", {{"Authorization", "Bearer x"}, {"X-OCG-UI-Token", "s3cret-token"}}, "", yes, yes, yes},
        TokenCase{"other_header", {{"X-API-Key", "s3cret-token"}}, "", none, none, none},
        TokenCase{"cookie", {{"Cookie", "token=s3cret-token"}}, "", none, none, none},
        TokenCase{"subprotocol", {{"Sec-WebSocket-Protocol", "parlance.v1, token.s3cret-token"}}, "", none, yes, yes},
        TokenCase{"subprotocol_wrong", {{"Sec-WebSocket-Protocol", "parlance.v1, token.x"}}, "", none, wrong, wrong},
        TokenCase{"subprotocol_without_token", {{"Sec-WebSocket-Protocol", "parlance.v1"}}, "", none, none, none},
        TokenCase{"query", {}, "token=s3cret-token", none, none, yes},
        TokenCase{"query_wrong", {}, "token=x", none, none, wrong}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Auth, WithoutAConfiguredTokenEveryRequestIsRefused) {
  const Auth open({.token = ""});
  for (const char* value : {"Bearer ", "Bearer x", "Bearer"})
    EXPECT_NE(open.check_token(request_with({{"Authorization", value}}), Access::token).verdict, Verdict::fine) << value;
  EXPECT_NE(open.check_token(request_with({{"X-OCG-UI-Token", ""}}), Access::token).verdict, Verdict::fine);
  EXPECT_NE(open.check_token(request_with({}, "token="), Access::socket_or_query).verdict, Verdict::fine);
}

// ---- Host and Origin ---------------------------------------------------------------------------------------------------

TEST(Auth, TheListeningAddressIsAName) {
  Auth auth(AuthSettings{.token = "t"});
  const auto source = [&auth](std::string host) { return auth.check_source(request_with({{"Host", std::move(host)}})); };
  EXPECT_EQ(source("10.0.0.5:55003"), Verdict::foreign_host);
  auth.answers_to("10.0.0.5");
  EXPECT_EQ(source("10.0.0.5:55003"), Verdict::fine);
  EXPECT_EQ(source("10.0.0.6:55003"), Verdict::foreign_host);
  auth.answers_to("0.0.0.0");  // any is none
  EXPECT_EQ(source("0.0.0.0:55003"), Verdict::foreign_host);
}

struct HostCase {
  std::string_view host;
  Verdict expected;
};

TEST(Auth, AnswersToItsOwnNamesOnly) {
  constexpr Verdict fine = Verdict::fine;
  constexpr Verdict foreign = Verdict::foreign_host;
  constexpr Verdict bad = Verdict::bad_host;
  for (const auto& [host, expected] : std::initializer_list<HostCase>{
           {"localhost", fine},
           {"LOCALHOST:55003", fine},
           {"127.0.0.1:55003", fine},
           {"127.9.9.9", fine},
           {"[::1]:55003", fine},
           {"[0:0:0:0:0:0:0:1]", fine},
           {"devbox.lan", fine},
           {"DevBox.lan:8080", fine},
           {"evil.example", foreign},
           {"localhost.evil.example", foreign},
           {"127.0.0.1.evil.example", foreign},
           {"127.evil.example", foreign},
           {"notlocalhost", foreign},
           {"devbox.lan.evil.example", foreign},
           {"10.0.0.1:55003", foreign},
           {"0.0.0.0:55003", foreign},
           {"[::2]:55003", foreign},
           {"[::ffff:127.0.0.1]", foreign},
           {"localhost.", foreign},
           {"", bad},
           {":55003", bad},
           {"localhost:", bad},
           {"localhost:x", bad},
           {"localhost:99999", bad},
           {"local host", bad},
           {"user@localhost", bad},
           {"localhost/evil", bad},
           {"[::1", bad},
           {"[localhost]", bad},
           {"::1", bad},
       })
    EXPECT_EQ(auth().check_source(request_with({{"Host", std::string(host)}})), expected) << host;
}

TEST(Auth, RequiresExactlyOneHost) {
  EXPECT_EQ(auth().check_source(request_with({})), Verdict::bad_host);
  EXPECT_EQ(auth().check_source(request_with({{"Host", "localhost"}, {"Host", "localhost"}})), Verdict::bad_host);
}

struct OriginCase {
  std::string_view host;
  std::string_view origin;
  bool own;
};

TEST(Auth, TurnsAwayPagesOfOtherOrigins) {
  for (const auto& [host, origin, own] : std::initializer_list<OriginCase>{
           {"localhost:55003", "http://localhost:55003", true},
           {"localhost:55003", "HTTP://LocalHost:55003", true},
           {"localhost:55003", "https://localhost:55003", true},
           {"localhost", "http://localhost:80", true},
           {"localhost:80", "http://localhost", true},
           {"devbox.lan", "https://devbox.lan:443", true},
           {"[::1]:55003", "http://[::1]:55003", true},
           {"localhost:55003", "https://chat.example", true},
           {"localhost:55003", "https://chat.example:8443", false},
           {"localhost:55003", "http://chat.example", false},
           {"localhost:55003", "null", false},
           {"localhost:55003", "", false},
           {"localhost:55003", "http://localhost", false},
           {"localhost:55003", "http://localhost:55004", false},
           {"localhost:55003", "http://127.0.0.1:55003", false},
           {"localhost:55003", "http://localhost:55003.evil.example", false},
           {"localhost:55003", "http://evil.example", false},
           {"localhost:55003", "file://", false},
           {"localhost:55003", "ws://localhost:55003", false},
       }) {
    const ServerRequest request = request_with({{"Host", std::string(host)}, {"Origin", std::string(origin)}});
    EXPECT_EQ(auth().check_source(request), own ? Verdict::fine : Verdict::foreign_origin) << host << " from " << origin;
  }
}

TEST(Auth, AForeignOriginAmongSeveralIsEnough) {
  EXPECT_EQ(auth().check_source(
                request_with({{"Host", "localhost"}, {"Origin", "http://localhost"}, {"Origin", "http://evil.example"}})),
            Verdict::foreign_origin);
}

// ---- a team ----------------------------------------------------------------------------------------------------------

hub::TeamPtr team_of_ann() {
  const auto token = [](const char* id, const char* text, hub::TokenKind kind) {
    return hub::Token{.id = id,
                      .hash = hash_of(text),
                      .page_hash = hash_of(PageCookie::value_for(text).value_or("")),
                      .user = "user_ann",
                      .kind = kind};
  };
  return std::make_shared<const hub::Team>(hub::Team{
      .users = {{.id = "user_ann", .name = "ann"}},
      .tokens = {token("t1", "anns-token", hub::TokenKind::person), token("t2", "anns-runner", hub::TokenKind::runner)}});
}

TEST(AuthOfATeam, ATokenIdentifiesTheCaller) {
  Auth team = auth();
  const ServerRequest anns = request_with({{"Authorization", "Bearer anns-token"}});
  EXPECT_EQ(team.check_token(anns, Access::token).verdict, wrong);
  team.set_team(team_of_ann());
  const Shown shown = team.check_token(anns, Access::token);
  ASSERT_EQ(shown.verdict, yes);
  EXPECT_EQ(shown.caller->name, "ann");
  EXPECT_EQ(shown.caller->token, "t1");
  const Shown machines = team.check_token(request_with({{"Authorization", "Bearer s3cret-token"}}), Access::token);
  ASSERT_EQ(machines.verdict, yes);
  EXPECT_EQ(*machines.caller, *hub::person_of_this_machine());
  EXPECT_EQ(team.check_token(request_with({}), Access::open).caller, nullptr) << "open access identifies no caller";
}

// A machine whose clock is an hour behind would let an expired token in.
TEST(AuthOfATeam, TheGivenClockDecidesOnExpiry) {
  WallTime time = *from_rfc3339("2026-03-01T09:59:59Z");
  Auth team(AuthSettings{.token = "t", .clock = [&time] { return time; }});
  hub::Team with_expiry = *team_of_ann();
  with_expiry.tokens[0].expires_at = "2026-03-01T10:00:00.000Z";
  team.set_team(std::make_shared<const hub::Team>(with_expiry));
  const ServerRequest anns = request_with({{"Authorization", "Bearer anns-token"}});
  const Shown shown = team.check_token(anns, Access::token);
  ASSERT_EQ(shown.verdict, yes);
  EXPECT_TRUE(team.is_current(*shown.caller));
  time += std::chrono::seconds(1);
  EXPECT_EQ(team.check_token(anns, Access::token).verdict, wrong);
  EXPECT_FALSE(team.is_current(*shown.caller));
}

TEST(AuthOfATeam, ARunnersTokenOpensOnlyItsOwnRoute) {
  Auth team = auth();
  team.set_team(team_of_ann());
  const ServerRequest runner = request_with({{"Authorization", "Bearer anns-runner"}});
  for (const Access access : {Access::token, Access::socket, Access::socket_or_query})
    EXPECT_EQ(team.check_token(runner, access).verdict, Verdict::wrong_kind);
  EXPECT_EQ(team.check_token(runner, Access::runner).verdict, yes);
  EXPECT_EQ(team.check_token(request_with({{"Authorization", "Bearer anns-token"}}), Access::runner).verdict,
            Verdict::wrong_kind);
  EXPECT_EQ(team.check_token(request_with({{"Authorization", "Bearer s3cret-token"}}), Access::runner).verdict, yes)
      << "a machine alone has runners too";
}

TEST(AuthOfATeam, APagesCookieIsItsUsersAndEndsWithTheToken) {
  Auth team = auth();
  team.set_team(team_of_ann());
  const HttpHeader host{.name = "Host", .value = "localhost:1"};
  const auto set = team.cookie_for(request_with({host, {"Authorization", "Bearer anns-token"}}));
  ASSERT_TRUE(set);
  EXPECT_EQ(set->find("anns-token"), std::string::npos);
  const ServerRequest later = request_with({host, {"Cookie", set->substr(0, set->find(';'))}, {std::string(page_header), "1"}});
  const Shown shown = team.check_token(later, Access::socket);
  ASSERT_EQ(shown.verdict, yes);
  EXPECT_EQ(shown.caller->name, "ann");
  const auto again = team.cookie_for(later);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->substr(0, again->find(';')), set->substr(0, set->find(';')));
  EXPECT_TRUE(team.is_current(*shown.caller));
  team.set_team(std::make_shared<const hub::Team>());
  EXPECT_NE(team.check_token(later, Access::socket).verdict, yes);
  EXPECT_FALSE(team.is_current(*shown.caller));
}

}  // namespace
}  // namespace parlance::gateway
