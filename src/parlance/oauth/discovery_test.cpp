// SPDX-License-Identifier: Apache-2.0
#include "parlance/oauth/discovery.h"

#include <gmock/gmock.h>

#include "parlance/oauth/limits.h"

namespace parlance::oauth {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Address address(std::string_view url) { return parse_address(url).value(); }
const Address& remote() {
  static const Address made = address("https://mcp.example/a/mcp");
  return made;
}
const Address& local() {
  static const Address made = address("http://127.0.0.1:4711/mcp");
  return made;
}

// ---- addresses

TEST(Addresses, AnAmbiguousOneIsRefused) {
  for (const char* wrong :
       {"", "mcp.example", "ftp://mcp.example", "file:///etc/passwd", "https://", "https:///x", "https://a@b.example/",
        "https://a.example\\@b.example/", "https://a.example#x", "https://a.example/ x", "https://a.example/\r\nHost:x",
        "https://a.example:0/", "https://a.example:99999/", "https://a.example:x/", "https://[::1/", "https://[::1]x/",
        "https://a%2f.example/", "https://\xc3\xa4.example/", "//a.example/"})
    EXPECT_FALSE(parse_address(wrong)) << wrong;
  EXPECT_FALSE(parse_address("https://a.example/" + std::string(limits::oauth_url_bytes, 'x')));
  const Address whole = address("HTTPS://A.example:8443/b/c?d=e");
  EXPECT_EQ(whole.origin(), "https://a.example:8443");
  EXPECT_EQ(whole.path, "/b/c");
  EXPECT_EQ(whole.query, "d=e");
  EXPECT_TRUE(address("http://[::1]:80/").is_loopback());
}

TEST(Addresses, ARemoteServerMayNotNameThisMachineOrPlainHttp) {
  for (const char* wrong : {"http://127.0.0.1/x", "https://127.0.0.1/x", "https://localhost:8443/x", "https://[::1]/x",
                            "http://other.example/x", "file:///x", ""})
    EXPECT_FALSE(check_named(remote(), wrong)) << wrong;
  for (const char* wrong :
       {"https://10.1.2.3/x", "https://169.254.169.254/x", "https://[fd00::1]/x", "https://10.1.2.3./x", "https://167838211/x",
        "https://0x0a010203/x", "https://10.66051/x", "https://127.1/x", "https://0/x"})
    EXPECT_FALSE(check_named(remote(), wrong)) << wrong;
  EXPECT_TRUE(check_named(address("https://10.1.2.3/"), "https://10.1.2.4/x"));
  EXPECT_TRUE(check_named(remote(), "https://auth.example/x"));
  EXPECT_TRUE(check_named(local(), "http://localhost:9/x"));
  EXPECT_TRUE(check_named(local(), "https://auth.example/x"));
  EXPECT_FALSE(check_named(local(), "http://auth.example/x"));
}

// ---- places

TEST(Discovery, TheChallengeNamesTheResourceMetadata) {
  Challenge challenge{.scheme = "bearer", .parameters = {{"resource_metadata", "https://mcp.example/m.json"}}};
  EXPECT_THAT(resource_metadata_places(remote(), challenge), ElementsAre("https://mcp.example/m.json"));
  EXPECT_THAT(resource_metadata_places(remote(), {}),
              ElementsAre("https://mcp.example/.well-known/oauth-protected-resource/a/mcp",
                          "https://mcp.example/.well-known/oauth-protected-resource"));
  EXPECT_THAT(resource_metadata_places(address("https://mcp.example/"), {}),
              ElementsAre("https://mcp.example/.well-known/oauth-protected-resource"));
}

TEST(Discovery, ThePathOfAnIssuerIsInserted) {
  EXPECT_THAT(server_metadata_places(address("https://auth.example/t1/")),
              ElementsAre("https://auth.example/.well-known/oauth-authorization-server/t1",
                          "https://auth.example/.well-known/openid-configuration/t1",
                          "https://auth.example/t1/.well-known/openid-configuration"));
  EXPECT_THAT(server_metadata_places(address("https://auth.example")),
              ElementsAre("https://auth.example/.well-known/oauth-authorization-server",
                          "https://auth.example/.well-known/openid-configuration"));
}

// ---- documents

std::string reason(const auto& read) { return read ? "accepted" : read.error().message; }

TEST(ResourceDocument, BelongsToTheServer) {
  const auto read = [](std::string_view resource) {
    return reason(read_resource_metadata(remote(), R"({"resource":")" + std::string(resource) + R"("})"));
  };
  for (const char* right : {"https://mcp.example/a/mcp", "https://mcp.example/a", "https://mcp.example/", "https://mcp.example"})
    EXPECT_EQ(read(right), "accepted") << right;
  for (const char* other : {"https://evil.example/a/mcp", "http://mcp.example/a/mcp", "https://mcp.example/a/mcpx",
                            "https://mcp.example/a/m", "https://mcp.example:8443/a/mcp"})
    EXPECT_THAT(read(other), HasSubstr("not for https://mcp.example/a/mcp")) << other;
}

TEST(ResourceDocument, WrongTypesAreRefusedAndUnknownMembersSkipped) {
  const auto read = [](std::string_view json) { return reason(read_resource_metadata(remote(), json)); };
  EXPECT_EQ(read(R"({"resource":"https://mcp.example","authorization_servers":null,"x":{}})"), "accepted");
  for (const char* wrong : {"", "null", "[]", "{}", R"({"resource":null})", R"({"resource":""})", R"({"resource":5})",
                            R"({"resource":"https://mcp.example","authorization_servers":"https://a.example"})",
                            R"({"resource":"https://mcp.example","scopes_supported":[1]})"})
    EXPECT_NE(read(wrong), "accepted") << wrong;
}

std::string server_json(std::string_view changed = "") {
  return R"({"issuer":"https://auth.example","authorization_endpoint":"https://auth.example/a","token_endpoint":"https://auth.example/t",)"
         R"("code_challenge_methods_supported":["plain","S256"])" +
         std::string(changed) + "}";
}
std::string read_server(std::string_view json, std::string_view issuer = "https://auth.example") {
  return reason(read_server_metadata(remote(), issuer, json));
}

TEST(ServerDocument, BelongsToTheIssuer) {
  EXPECT_EQ(read_server(server_json()), "accepted");
  EXPECT_EQ(read_server(server_json(), "https://auth.example/"), "accepted") << "the same place of the document";
  for (const char* other :
       {"https://auth.example/t1", "https://AUTH.example", "https://auth.example:443", "https://evil.example"})
    EXPECT_THAT(read_server(server_json(), other), HasSubstr("is of the issuer")) << other;
}

TEST(ServerDocument, OffersPkceWithS256) {
  for (const char* methods : {"null", "[]", R"(["plain"])", R"(["s256"])"})
    EXPECT_THAT(read_server(server_json(R"(,"code_challenge_methods_supported":)" + std::string(methods))), HasSubstr("PKCE"))
        << methods;
  EXPECT_NE(read_server(server_json(R"(,"code_challenge_methods_supported":"S256")")), "accepted");
}

TEST(ServerDocument, NamesOnlyPermittedEndpoints) {
  for (const char* member : {"token_endpoint", "authorization_endpoint", "registration_endpoint"})
    for (const char* value : {R"("http://auth.example/x")", R"("https://127.0.0.1/x")", R"j("javascript:alert(1)")j", "5", "[]"})
      EXPECT_NE(read_server(server_json(",\"" + std::string(member) + "\":" + value)), "accepted") << member << value;
  EXPECT_EQ(read_server(server_json(R"(,"registration_endpoint":null)")), "accepted");
  EXPECT_NE(read_server(server_json(R"(,"token_endpoint":null)")), "accepted");
}

// ---- scopes

TEST(Scopes, ComeFromTheChallengeThenFromTheResource) {
  const Challenge demanding{.scheme = "bearer", .parameters = {{"scope", "a b"}}};
  ResourceMetadata resource;
  resource.scopes_supported = Texts{"c", "bad\nscope", "d"};
  EXPECT_EQ(wanted_scope(demanding, resource, {}, ""), "a b");
  EXPECT_EQ(wanted_scope({}, resource, {}, ""), "c d");
  EXPECT_EQ(wanted_scope({}, {}, {}, ""), "");
  EXPECT_EQ(wanted_scope(demanding, resource, {}, "b x"), "b x a") << "granted scopes stay";
  ServerMetadata server;
  server.scopes_supported = Texts{"offline_access", "z"};
  EXPECT_EQ(wanted_scope(demanding, {}, server, ""), "a b offline_access");
}

TEST(Scopes, AreComparedAsSets) {
  EXPECT_TRUE(has_scopes("a b", "b a"));
  EXPECT_TRUE(has_scopes("", ""));
  EXPECT_FALSE(has_scopes("a", "a b"));
  EXPECT_FALSE(has_scopes("ab", "a"));
}

}  // namespace
}  // namespace parlance::oauth
