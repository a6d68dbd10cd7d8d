// SPDX-License-Identifier: Apache-2.0
#include "parlance/protocol/mcp/http_endpoint.h"

#include <gmock/gmock.h>

#include "parlance/async/scope.h"
#include "parlance/protocol/mcp/limits.h"
#include "parlance/protocol/mcp/test_support.h"

namespace parlance::mcp {
namespace {

using test::at;
using testing::HasSubstr;

class McpHttp : public testing::Test {
 protected:
  McpHttp() : server(loop, test::settings()), endpoint(loop, server), client(loop) {
    test::fill(server, watched);
    http = *HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, [this](HttpExchange& e) { return endpoint.handle(e); });
  }
  HttpResponse send(std::string method, std::string body, std::vector<HttpHeader> headers = {}) {
    if (find_header(headers, "Content-Type") == nullptr) headers.push_back({"Content-Type", "application/json"});
    headers.push_back({"Accept", "application/json, text/event-stream"});
    auto response = loop.block_on(client.fetch({.method = std::move(method),
                                                .url = "http://127.0.0.1:" + std::to_string(http->port()) + "/mcp",
                                                .headers = std::move(headers),
                                                .body = std::move(body)}));
    EXPECT_TRUE(response) << response.error().message;
    return response ? *response : HttpResponse{};
  }
  static std::string code(const HttpResponse& response) { return at(*json::parse(response.body), {"error", "code"}); }
  std::string begin() {
    const HttpResponse response = send(
        "POST",
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
    EXPECT_EQ(response.status, 200);
    const std::string* session = find_header(response.headers, "Mcp-Session-Id");
    return session == nullptr ? "" : *session;
  }

  Loop loop;
  test::Watched watched;
  Server server;
  HttpEndpoint endpoint;
  HttpClient client;
  std::unique_ptr<HttpServer> http;
};

constexpr const char* ping = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";

TEST_F(McpHttp, PagesOfOtherSitesMayNotSpeak) {
  EXPECT_EQ(send("POST", ping, {{"Host", "evil.example"}}).status, 403);
  EXPECT_EQ(send("POST", ping, {{"Origin", "http://evil.example"}}).status, 403);
  EXPECT_EQ(send("POST", ping, {{"Origin", "null"}}).status, 403);
  EXPECT_EQ(send("POST", ping, {{"Origin", "http://localhost:3000"}}).status, 400) << "only the session is missing";
}
// More of them, without a server: transport/http/http_source_test.cpp.
TEST_F(McpHttp, ForeignHostsAreRefused) {
  for (const char* origin : {"evil://localhost", "http://localhost:x@evil.example", "http://localhost@evil.example",
                             "http://[::1]evil", "http://localhost/", "//localhost", "http://127.evil.example"})
    EXPECT_EQ(send("POST", ping, {{"Origin", origin}}).status, 403) << origin;
  for (const char* host : {"[::1]evil", "localhost:x", "user@localhost", "127.evil.example"})
    EXPECT_EQ(send("POST", ping, {{"Host", host}}).status / 100, 4) << host;
  EXPECT_EQ(send("POST", ping, {{"Origin", "http://localhost"}, {"Origin", "http://evil.example"}}).status, 403);
}
TEST_F(McpHttp, APreflightNeedsAServerWithAToken) {
  EXPECT_EQ(send("OPTIONS", "", {{"Origin", "http://localhost:3000"}}).status, 403);
  EXPECT_EQ(find_header(send("POST", ping, {{"Origin", "http://localhost:3000"}}).headers, "Access-Control-Allow-Origin"),
            nullptr);
}
TEST_F(McpHttp, APageOfThisMachineWithATokenMayAskAndRead) {
  HttpEndpoint guarded(loop, server, {.token = "secret"});
  http = *HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, [&](HttpExchange& e) { return guarded.handle(e); });
  const HttpHeader origin{"Origin", "http://localhost:3000"};
  const HttpResponse asked = send("OPTIONS", "", {origin});
  EXPECT_EQ(asked.status, 204);
  EXPECT_EQ(*find_header(asked.headers, "Access-Control-Allow-Origin"), "http://localhost:3000");
  EXPECT_THAT(*find_header(asked.headers, "Access-Control-Allow-Headers"), HasSubstr("Authorization"));
  EXPECT_EQ(send("OPTIONS", "", {{"Origin", "http://evil.example"}}).status, 403);
  const HttpResponse unknown = send("POST", ping, {origin});
  EXPECT_EQ(unknown.status, 401);
  const HttpResponse known = send("POST", ping, {origin, {"Authorization", "Bearer secret"}});
  EXPECT_EQ(known.status, 400) << "only the session is missing";
  EXPECT_EQ(*find_header(known.headers, "Access-Control-Allow-Origin"), "http://localhost:3000");
  http.reset();
}
TEST_F(McpHttp, OnlyJsonIsRead) {
  for (const char* type : {"application/jsonx", "application/json-seq", "text/plain", "application/json, text/plain"})
    EXPECT_EQ(send("POST", ping, {{"Content-Type", type}}).status, 415) << type;
  EXPECT_EQ(send("POST", ping, {{"Content-Type", "Application/JSON; charset=utf-8"}}).status, 400)
      << "only the session is missing";
}
TEST_F(McpHttp, ASessionLivesUntilItsDeletion) {
  const std::string session = begin();
  ASSERT_FALSE(session.empty());
  EXPECT_EQ(send("POST", ping).status, 400);
  EXPECT_EQ(send("POST", ping, {{"Mcp-Session-Id", "other"}}).status, 404);
  EXPECT_EQ(send("POST", ping, {{"Mcp-Session-Id", session}, {"MCP-Protocol-Version", "1999-01-01"}}).status, 400);
  EXPECT_EQ(send("POST", ping, {{"Mcp-Session-Id", session}, {"MCP-Protocol-Version", "2025-11-25"}}).status, 200);
  EXPECT_EQ(send("POST", R"({"jsonrpc":"2.0","method":"notifications/initialized"})", {{"Mcp-Session-Id", session}}).status, 202);
  EXPECT_EQ(send("DELETE", "", {{"Mcp-Session-Id", session}}).status, 200);
  EXPECT_EQ(send("POST", ping, {{"Mcp-Session-Id", session}}).status, 404);
  EXPECT_EQ(endpoint.sessions(), 0U);
}
TEST_F(McpHttp, ManyNewSessionsLeaveASessionInUse) {
  const std::string busy = begin();
  const std::string idle = begin();
  const auto listen = [&]() -> Task<void> {
    static_cast<void>(co_await client.fetch({.method = "GET",
                                             .url = "http://127.0.0.1:" + std::to_string(http->port()) + "/mcp",
                                             .headers = {{"Accept", "text/event-stream"}, {"Mcp-Session-Id", busy}}}));
  };
  Scope listening(loop);
  listening.start(listen());
  for (std::size_t i = 0; i < limits::mcp_http_sessions; ++i) begin();
  EXPECT_EQ(send("POST", ping, {{"Mcp-Session-Id", busy}}).status, 200);
  EXPECT_EQ(send("POST", ping, {{"Mcp-Session-Id", idle}}).status, 404);
}
TEST_F(McpHttp, ACallWithProgressIsAStream) {
  const HttpResponse response =
      send("POST", R"({"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"steps","_meta":{"progressToken":1}}})",
           {{"Mcp-Session-Id", begin()}});
  EXPECT_EQ(*find_header(response.headers, "Content-Type"), "text/event-stream");
  EXPECT_THAT(response.body, HasSubstr("retry: "));
  EXPECT_THAT(response.body, HasSubstr("notifications/progress"));
  EXPECT_THAT(response.body, HasSubstr(R"("id":3,"result")"));
}
TEST_F(McpHttp, MalformedMessagesAreRefused) {
  EXPECT_EQ(code(send("POST", "{nonsense")), "-32700");
  EXPECT_EQ(code(send("POST", "[]")), "-32600");
  EXPECT_EQ(code(send("POST", R"({"jsonrpc":"2.0","id":{},"method":"ping"})")), "-32600");
  EXPECT_EQ(send("PUT", "{}").status, 405);
}
TEST_F(McpHttp, MessageWithoutAMethodOrAResultIsRefused) {
  const std::string session = begin();
  for (const char* body :
       {R"({"jsonrpc":"2.0","id":7,"method":5})", R"({"jsonrpc":"2.0","id":7})", R"({"jsonrpc":"2.0","id":7,"method":""})"}) {
    const HttpResponse refused = send("POST", body, {{"Mcp-Session-Id", session}});
    EXPECT_EQ(refused.status, 400) << body;
    EXPECT_EQ(code(refused), "-32600") << body;
    EXPECT_EQ(at(*json::parse(refused.body), {"id"}), "7") << body;
  }
  EXPECT_EQ(code(send("POST", "{}", {{"Mcp-Session-Id", session}})), "-32600");
  EXPECT_EQ(send("POST", R"({"jsonrpc":"2.0","id":7,"result":{}})", {{"Mcp-Session-Id", session}}).status, 202) << "a reply";
}
TEST_F(McpHttp, HeadersMustMatchTheBody) {
  const std::string body = R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"add","arguments":{"a":1},)" +
                           std::string(test::Lines::envelope) + "}}";
  const HttpHeader version{"MCP-Protocol-Version", "2026-07-28"};
  EXPECT_EQ(code(send("POST", body)), "-32020") << "no version";
  EXPECT_EQ(code(send("POST", body, {version})), "-32020");
  EXPECT_EQ(code(send("POST", body, {version, {"Mcp-Method", "tools/call"}})), "-32020");
  EXPECT_EQ(code(send("POST", body, {version, {"Mcp-Method", "tools/call"}, {"Mcp-Name", "other"}})), "-32020");
  const HttpResponse fine = send("POST", body, {version, {"Mcp-Method", "tools/call"}, {"Mcp-Name", "=?base64?YWRk?="}});
  EXPECT_EQ(fine.status, 200);
  EXPECT_EQ(at(*json::parse(fine.body), {"result", "structuredContent", "value"}), "1");
  EXPECT_EQ(send("GET", "", {version}).status, 405);
}

}  // namespace
}  // namespace parlance::mcp
