// SPDX-License-Identifier: Apache-2.0
// Sessions over HTTP that a server loses: our client and our endpoint, with a server between them that refuses.
#include "parlance/protocol/mcp/http_link.h"

#include <gmock/gmock.h>

#include "parlance/protocol/mcp/client.h"
#include "parlance/protocol/mcp/connect.h"
#include "parlance/protocol/mcp/http_endpoint.h"
#include "parlance/protocol/mcp/test_support.h"

namespace parlance::mcp {
namespace {

using testing::HasSubstr;

class LostSession : public testing::Test {
 protected:
  explicit LostSession(int refused_streams = 0)
      : server(loop, test::settings()), endpoint(loop, server), stream_refusals(refused_streams) {
    test::fill(server, watched);
    http = *HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, [this](HttpExchange& e) { return handle(e); });
    ClientSettings settings{.info = {.name = "t", .version = "1"}, .era = Era::legacy};
    settings.handlers.tools_changed = [this] {
      ++changes;
      changed.notify_all();
    };
    client.emplace(loop, HttpLinkSettings{.url = "http://127.0.0.1:" + std::to_string(http->port()) + "/mcp"},
                   std::move(settings));
    const auto connected = loop.block_on(client->connect());
    EXPECT_TRUE(connected) << connected.error().message;
  }
  Task<void> handle(HttpExchange& exchange) {
    const std::string* session = find_header(exchange.request().headers, "Mcp-Session-Id");
    const bool is_call = exchange.request().body.contains("\"tools/call\"");
    if (exchange.request().method == "GET" && streams++ < stream_refusals) {
      static_cast<void>(co_await exchange.respond({.status = 503}));
      co_return;
    }
    changed.notify_all();
    if (is_call) ++calls;
    if (exchange.request().body.contains("\"initialize\"")) ++starts;
    if (is_call ? refusals == 0 : session != nullptr || !refuses_start) co_return co_await endpoint.handle(exchange);
    if (is_call) --refusals;
    static_cast<void>(co_await exchange.respond({.status = status, .body = body}));
  }
  std::string call() {
    const auto result = loop.block_on(client->call_tool("add", {R"({"a":2,"b":3})"}));
    return result ? readable(*result) : result.error().message;
  }

  Loop loop;
  test::Watched watched;
  Server server;
  HttpEndpoint endpoint;
  std::unique_ptr<HttpServer> http;
  std::optional<Client> client;
  int status = 404;
  std::string body;
  int refusals = 0;
  bool refuses_start = false;
  int calls = 0;
  int starts = 0;
  int changes = 0;
  int stream_refusals;
  int streams = 0;
  Signal changed{loop};
};

struct RefusedStream : LostSession {
  RefusedStream() : LostSession(1) {}
};

// A proxy or a restarting server refuses for a moment.
TEST_F(RefusedStream, IsOpenedAgain) {
  const auto change = [this]() -> Task<void> {
    while (streams < 2) co_await changed.wait();
    server.tools_changed();
    while (changes == 0) co_await changed.wait();
  };
  loop.block_on(change());
  EXPECT_EQ(changes, 1);
}

TEST_F(LostSession, IsBegunAgainAndTheCallIsRepeatedOnce) {
  struct Refusal {
    int status;
    const char* body;
  };
  const Refusal all[] = {
      {404, ""},
      {404, R"({"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Session not found"}})"},
      {404, R"({"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"unknown"}})"},
      {400, R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null})"},
      {410, "gone"},
  };
  for (const Refusal& refusal : all) {
    status = refusal.status;
    body = refusal.body;
    refusals = 1;
    calls = changes = 0;
    EXPECT_EQ(call(), R"({"value":5})") << status << body;
    EXPECT_EQ(calls, 2) << status << body;
    EXPECT_EQ(changes, 1) << "the new session may have other tools";
  }
}

TEST_F(LostSession, IsBegunAgainOnlyOnceForACall) {
  status = 404;
  body = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no such thing"}})";
  refusals = 100;
  calls = 0;
  EXPECT_THAT(call(), HasSubstr("no such thing"));
  EXPECT_EQ(calls, 2);
}

TEST_F(LostSession, AServerThatTakesNoNewOneIsDisconnected) {
  refusals = 1;
  refuses_start = true;
  const auto result = loop.block_on(client->call_tool("add", {"{}"}));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::disconnected);
  EXPECT_THAT(result.error().message, HasSubstr("forgotten this session"));
}

TEST_F(LostSession, AnErrorThatIsNotAboutTheSessionIsTheCallsError) {
  status = 400;
  body = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"odd arguments"}})";
  refusals = 1;
  starts = 0;
  EXPECT_THAT(call(), HasSubstr("odd arguments"));
  EXPECT_EQ(starts, 0);
}

TEST(Addresses, OfAnErrorHaveNoQuery) {
  Loop loop;
  for (const HttpWay way : {HttpWay::streamable, HttpWay::sse}) {
    const auto connected = loop.block_on(connect_http(loop, {.url = "http://127.0.0.1:1/mcp?key=secret", .way = way},
                                                      {.info = {.name = "t", .version = "1"}, .era = Era::legacy}));
    ASSERT_FALSE(connected);
    EXPECT_THAT(connected.error().message,
                testing::AllOf(HasSubstr("http://127.0.0.1:1/mcp"), testing::Not(HasSubstr("secret"))));
  }
}

TEST_F(LostSession, ARefusalOfOAuthIsDeniedWithAnyBody) {
  for (const char* text :
       {R"({"error":"invalid_token","error_description":"x"})", R"({"error":null})", R"({"error":{}})", "", "<html>"}) {
    status = 401;
    body = text;
    refusals = 1;
    const auto result = loop.block_on(client->call_tool("add", {"{}"}));
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, Errc::denied) << text;
    EXPECT_THAT(result.error().message, HasSubstr("401: the server accepts no request without valid credentials")) << text;
  }
}

}  // namespace
}  // namespace parlance::mcp
