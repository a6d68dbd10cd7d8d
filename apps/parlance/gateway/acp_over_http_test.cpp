// SPDX-License-Identifier: Apache-2.0
// The Agent Client Protocol at the gateway's /acp, over real sockets: a WebSocket, single requests with streams, permissions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/parlance/gateway/test_support.h"
#include "parlance/async/scope.h"
#include "parlance/protocol/acp/client.h"
#include "parlance/protocol/acp/outline.h"

namespace parlance::app {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr const char* initialize = R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}})";

struct AcpOverHttpTest : ::testing::Test {
  // One message as a client posts it.
  HttpResponse post(std::string body, const std::string& connection = "", const std::string& session = "") {
    HttpRequest request = bench.request("POST", "/acp", std::move(body));
    if (!connection.empty()) request.headers.push_back({.name = "Acp-Connection-Id", .value = connection});
    if (!session.empty()) request.headers.push_back({.name = "Acp-Session-Id", .value = session});
    auto answer = bench.loop.block_on(bench.client.fetch(std::move(request)));
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? *answer : HttpResponse{};
  }
  std::string begin() {
    const HttpResponse hello = post(initialize);
    EXPECT_EQ(hello.status, 200);
    EXPECT_THAT(hello.body, HasSubstr("\"agentInfo\""));
    return test::GatewayBench::header(hello, "Acp-Connection-Id");
  }
  // What comes in a stream, from now on.
  void follow(const std::string& connection, const std::string& session, std::vector<std::string>& into) {
    HttpRequest request = bench.request("GET", "/acp");
    request.headers.push_back({.name = "Accept", .value = "text/event-stream"});
    request.headers.push_back({.name = "Acp-Connection-Id", .value = connection});
    if (!session.empty()) request.headers.push_back({.name = "Acp-Session-Id", .value = session});
    scope.start(read_events(std::move(request), into));
  }
  Task<void> read_events(HttpRequest request, std::vector<std::string>& into) {
    SseParser parser;
    static_cast<void>(co_await bench.client.stream(std::move(request), [&](BytesView bytes) {
      return parser.feed(bytes, [&](SseEvent event) -> Result<void> {
        into.push_back(event.data);
        return {};
      });
    }));
    into.emplace_back("end");
  }
  test::GatewayBench bench;
  Scope scope{bench.loop};
};

TEST_F(AcpOverHttpTest, AWebSocketIsNamedAndBeginsWithInitialize) {
  auto socket = bench.connect("/acp", {}, {{.name = "Authorization", .value = "Bearer " + std::string(test::test_token)}});
  ASSERT_TRUE(socket) << socket.error().message;
  ASSERT_TRUE((*socket)->send("no json"));
  EXPECT_THAT(bench.receive(**socket), HasSubstr("-32700")) << "and the socket stays";
  ASSERT_TRUE((*socket)->send(initialize));
  EXPECT_THAT(bench.receive(**socket), HasSubstr("\"protocolVersion\":1"));
  ASSERT_TRUE((*socket)->send(R"({"jsonrpc":"2.0","id":"a","method":"session/new","params":{"cwd":"/tmp","mcpServers":[]}})"));
  EXPECT_THAT(bench.receive(**socket), HasSubstr(R"("id":"a","result":{"sessionId":)"));
}

TEST_F(AcpOverHttpTest, AWebSocketWithAnotherFirstMessageIsClosedWith1002) {
  auto socket = bench.connect("/acp", {"token." + std::string(test::test_token)});
  ASSERT_TRUE(socket) << socket.error().message;
  ASSERT_TRUE((*socket)->send(R"({"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/tmp"}})"));
  EXPECT_EQ(bench.receive(**socket), "");
  EXPECT_EQ((*socket)->close_code(), 1002);
  EXPECT_EQ((*socket)->close_reason(), "First message must be initialize");
}

TEST_F(AcpOverHttpTest, WithoutATokenEveryRequestIsRefused) {
  EXPECT_FALSE(bench.connect("/acp", {}));
  HttpRequest request = bench.request("POST", "/acp", initialize);
  request.headers.erase(request.headers.begin());
  EXPECT_EQ(bench.loop.block_on(bench.client.fetch(std::move(request)))->status, 401);
  request = bench.request("POST", "/acp", initialize);
  request.headers.push_back({.name = "Origin", .value = "https://evil.example"});
  EXPECT_EQ(bench.loop.block_on(bench.client.fetch(std::move(request)))->status, 403);
}

TEST_F(AcpOverHttpTest, OverHttpATurnComesInTheStreamOfItsSession) {
  const std::string connection = begin();
  ASSERT_FALSE(connection.empty());
  std::vector<std::string> of_connection;
  std::vector<std::string> of_session;
  follow(connection, "", of_connection);
  EXPECT_EQ(post(R"({"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/tmp","mcpServers":[]}})", connection).status,
            202);
  bench.until([&] { return !of_connection.empty(); });
  const auto outline = acp::outline(of_connection.front());
  ASSERT_TRUE(outline);
  const std::string session = outline->session;
  follow(connection, session, of_session);
  const std::string prompt = R"({"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":")" + session +
                             R"(","prompt":[{"type":"text","text":"hi"}]}})";
  EXPECT_EQ(post(prompt, connection).status, 400) << "the header names the session, too";
  EXPECT_EQ(post(prompt, connection, "other").status, 400);
  EXPECT_EQ(post(prompt, connection, session).status, 202);
  bench.until([&] { return !of_session.empty() && of_session.back().find("stopReason") != std::string::npos; });
  EXPECT_THAT(of_session, Contains(HasSubstr("Hello.")));
  EXPECT_EQ(of_connection.size(), 1);
}

TEST_F(AcpOverHttpTest, AnInvalidMessageOfAConnectionIsRefused) {
  EXPECT_EQ(post("[]").status, 400);
  EXPECT_THAT(post("[]").body, HasSubstr("batches are not supported"));
  EXPECT_EQ(post("nonsense").status, 400);
  EXPECT_EQ(post(R"({"jsonrpc":"2.0","id":1,"method":"session/new"})").status, 400);
  EXPECT_EQ(post(R"({"jsonrpc":"2.0","id":1,"method":"session/new"})", "unknown").status, 404);
  const std::string connection = begin();
  EXPECT_EQ(post(initialize, connection).status, 400);
  HttpRequest request = bench.request("DELETE", "/acp");
  request.headers.push_back({.name = "Acp-Connection-Id", .value = connection});
  EXPECT_EQ(bench.loop.block_on(bench.client.fetch(request))->status, 202);
  EXPECT_EQ(bench.loop.block_on(bench.client.fetch(request))->status, 404);
}

TEST_F(AcpOverHttpTest, AStreamHasASingleReaderAndEndsWithItsConnection) {
  const std::string connection = begin();
  std::vector<std::string> first;
  std::vector<std::string> second;
  follow(connection, "", first);
  bench.loop.run_for(std::chrono::milliseconds(20));
  follow(connection, "", second);
  bench.until([&] { return !second.empty(); });
  EXPECT_TRUE(first.empty());
  HttpRequest request = bench.request("DELETE", "/acp");
  request.headers.push_back({.name = "Acp-Connection-Id", .value = connection});
  EXPECT_EQ(bench.loop.block_on(bench.client.fetch(std::move(request)))->status, 202);
  bench.until([&] { return !first.empty(); });
  EXPECT_EQ(first.back(), "end");
}

// Our own client, which speaks the transport from the other side.
TEST_F(AcpOverHttpTest, OurClientHasAWholeTurn) {
  struct Said : acp::ClientHandler {
    void on_update(acp::SessionUpdate notice) override {
      if (const auto* chunk = std::get_if<acp::AgentMessageChunk>(&notice.update.value))
        if (const std::string* words = acp::text_of(chunk->chunk.content)) text += *words;
    }
    std::string text;
  } said;
  auto frames = bench.loop.block_on(acp::connect_to_agent(
      bench.loop, bench.url("/acp"), {{.name = "Authorization", .value = "Bearer " + std::string(test::test_token)}}));
  ASSERT_TRUE(frames);
  acp::Client client(bench.loop, *std::move(frames), said);
  scope.start([](acp::Client& running) -> Task<void> { static_cast<void>(co_await running.run()); }(client));
  ASSERT_TRUE(bench.loop.block_on(client.connect()));
  const auto session = bench.loop.block_on(client.new_session({.cwd = "/tmp"}));
  ASSERT_TRUE(session) << session.error().message;
  const auto turn = bench.loop.block_on(client.prompt({.session_id = *session->session_id, .prompt = {acp::text("hello")}}));
  ASSERT_TRUE(turn) << turn.error().message;
  EXPECT_NE(said.text, "");
  bench.loop.block_on(client.stop());
}

}  // namespace
}  // namespace parlance::app
