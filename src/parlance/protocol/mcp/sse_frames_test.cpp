// SPDX-License-Identifier: Apache-2.0
// Our client at a server of 2024-11-05 that the test plays over real sockets.
#include "parlance/protocol/mcp/sse_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parlance/codec/json/value.h"
#include "parlance/protocol/mcp/client.h"
#include "parlance/transport/http/http_server.h"

namespace parlance::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SseEndpoint, IsRelativeToTheStreamAndOfTheSameServer) {
  const std::string stream = "http://host:80/mcp/sse?key=1";
  EXPECT_EQ(sse_endpoint(stream, "/messages?session=1"), "http://host:80/messages?session=1");
  EXPECT_EQ(sse_endpoint(stream, "messages"), "http://host:80/mcp/messages");
  EXPECT_EQ(sse_endpoint(stream, "?session=1"), "http://host:80/mcp/sse?session=1");
  EXPECT_EQ(sse_endpoint("http://host", "messages"), "http://host/messages");
  EXPECT_EQ(sse_endpoint(stream, "http://host:80/m"), "http://host:80/m");
  EXPECT_EQ(sse_endpoint(stream, "/to?next=http://other/"), "http://host:80/to?next=http://other/");
  for (const char* other :
       {"http://other/m", "https://host:80/m", "//other/m", "http://host:81/m", "http://host:80.evil.example/m"})
    EXPECT_EQ(sse_endpoint(stream, other).error().code, Errc::denied) << other;
}

class SseFrames : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"}) unsetenv(name);
    auto listening = HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0},
                                        [this](HttpExchange& exchange) -> Task<void> { co_await answer(exchange); });
    ASSERT_TRUE(listening) << listening.error().message;
    server = *std::move(listening);
    url = "http://127.0.0.1:" + std::to_string(server->port()) + "/sse";
  }
  ~SseFrames() override { server.reset(); }

  Task<void> answer(HttpExchange& exchange) {
    targets.push_back(exchange.request().method + " " + exchange.request().target);
    if (exchange.request().method == "GET") {
      if (refuses) {
        static_cast<void>(co_await exchange.respond({.status = 401, .body = "no"}));
        co_return;
      }
      static_cast<void>(co_await exchange.begin(200, std::vector<HttpHeader>{{"Content-Type", "text/event-stream"}}));
      static_cast<void>(co_await exchange.write("event: endpoint\ndata: /messages?session=7\n\n"));
      for (;;) {
        while (said.empty() && !ends) co_await changed.wait();
        if (said.empty()) break;
        const std::string message = std::move(said.front());
        said.pop_front();
        static_cast<void>(co_await exchange.write("event: message\ndata: " + message + "\n\n"));
      }
      static_cast<void>(co_await exchange.end());
      co_return;
    }
    const json::Value message = *json::parse(exchange.request().body);
    const std::string_view method = message.text_or("method", "");
    const std::string id = std::to_string(message.integer_or("id", -1));
    if (method == "tools/call") {
      static_cast<void>(co_await exchange.respond({.status = 500, .body = "broken"}));
      co_return;
    }
    if (method == "initialize")
      said.push_back(
          R"({"jsonrpc":"2.0","id":)" + id +
          R"(,"result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}})");
    if (method == "tools/list")
      said.push_back(R"({"jsonrpc":"2.0","id":)" + id +
                     R"(,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}})");
    changed.notify_all();
    static_cast<void>(co_await exchange.respond({.status = 202}));
  }
  Client& connect() {
    client = std::make_unique<Client>(loop, sse_frames(loop, {.url = url, .headers = {{"X-Key", "k"}}}),
                                      ClientSettings{.info = {.name = "t", .version = "1"}, .era = Era::legacy});
    connected = loop.block_on(client->connect());
    return *client;
  }

  Loop loop;
  std::unique_ptr<HttpServer> server;
  std::string url;
  std::vector<std::string> targets;
  std::deque<std::string> said;
  Signal changed{loop};
  bool ends = false;
  bool refuses = false;
  std::unique_ptr<Client> client;
  Result<void> connected;
};

TEST_F(SseFrames, MessagesArePostedToTheNamedAddressAndAnsweredInTheStream) {
  Client& client = connect();
  ASSERT_TRUE(connected) << connected.error().message;
  EXPECT_EQ(client.version(), "2024-11-05");
  const auto tools = loop.block_on(client.list_tools());
  ASSERT_TRUE(tools) << tools.error().message;
  EXPECT_EQ(tools->at(0).name, "add");
  EXPECT_THAT(targets,
              ElementsAre("GET /sse", "POST /messages?session=7", "POST /messages?session=7", "POST /messages?session=7"));
}

TEST_F(SseFrames, AnUndeliveredRequestFailsAtOnce) {
  Client& client = connect();
  const auto result = loop.block_on(client.call_tool("add", {"{}"}));
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("HTTP status 500"));
}

TEST_F(SseFrames, TheEndOfTheStreamIsTheEnd) {
  Client& client = connect();
  ends = true;
  changed.notify_all();
  loop.run_until([&] { return client.ended().has_value(); });
  ASSERT_TRUE(client.ended());
  EXPECT_EQ(client.ended()->code, Errc::disconnected);
}

TEST_F(SseFrames, ARefusalIsReported) {
  refuses = true;
  connect();
  ASSERT_FALSE(connected);
  EXPECT_THAT(connected.error().message, HasSubstr("401"));
}

}  // namespace
}  // namespace parlance::mcp
