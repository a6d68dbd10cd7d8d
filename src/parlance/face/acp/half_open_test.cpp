// SPDX-License-Identifier: Apache-2.0
// A client over WebSocket or HTTP streams vanishes silently.
#include "parlance/face/acp/acp_over_http.h"
#include "parlance/face/acp/limits.h"
#include "parlance/face/acp/test_support.h"
#include "parlance/hub/conversation/conversation.h"
#include "parlance/hub/runtime/snapshot.h"
#include "parlance/transport/http/websocket_frames.h"

namespace parlance::face {
namespace {

using namespace std::chrono_literals;

TEST_F(HubOverAcp, AClientThatAnswersNoPingIsGoneAndItsTurnIsLeftToTheOthers) {
  make_frontend(false);
  hub::test::Gate gate(bench.loop);
  bench.script = hub::test::ends_after(gate);
  auto [near, far] = memory_pair(bench.loop, {.capacity = 1 << 20});
  Router router;
  Peer peer(bench.loop, websocket_frames(bench.loop, std::move(near), {.role = websocket::Role::client, .ping = 0s}),
            acp::dialect(acp::Side::client, acp::Flavour::standard), router);
  Scope scope(bench.loop);
  Scope::Handle reading = scope.start([](Peer& peer) -> Task<void> { static_cast<void>(co_await peer.run()); }(peer));
  scope.start(frontend->serve(websocket_frames(bench.loop, std::move(far), {.role = websocket::Role::server, .ping = 30s}),
                              acp::Flavour::standard));
  const auto call = [&](const auto& method, auto parameters) {
    return bench.loop.block_on([](Peer& peer, const auto& what, auto with) -> Task<Result<void>> {
      auto answer = co_await peer.call(what, std::move(with), no_deadline);
      if (!answer) co_return std::unexpected(answer.error());
      co_return Result<void>{};
    }(peer, method, std::move(parameters)));
  };
  ASSERT_TRUE(call(acp::method::initialize, acp::InitializeParams{.protocol_version = 1}));
  ASSERT_TRUE(call(acp::method::new_session, acp::NewSession{.cwd = "/tmp"}));
  const std::string id = bench.hub->snapshot().conversations.front().id;
  scope.start([](Peer& peer, std::string session) -> Task<void> {
    static_cast<void>(co_await peer.call(acp::method::prompt, TestClient::words(session, "go"), no_deadline));
  }(peer, id));
  settle();
  EXPECT_EQ(bench.hub->find(id)->state, hub::ConversationState::running);
  reading.cancel();
  bench.loop.advance(3min);
  settle();
  EXPECT_EQ(frontend->connections(), 0U);
  EXPECT_EQ(bench.hub->find(id)->state, hub::ConversationState::running) << "no stop was requested";
  gate.release();
  settle();
  EXPECT_THAT(bench.trace(id), testing::EndsWith("turn_end"));
}

// An exchange without a network: collects the answer, and can cut a stream like a vanished client.
class OneExchange final : public HttpExchange {
 public:
  OneExchange(std::string method, std::vector<HttpHeader> headers, std::string body = "") {
    request_.method = std::move(method);
    request_.headers = std::move(headers);
    request_.body = std::move(body);
  }
  const ServerRequest& request() const override { return request_; }
  Task<Result<void>> respond(HttpReply reply) override {
    answered = std::move(reply);
    co_return Result<void>{};
  }
  Task<Result<void>> begin(int status, std::vector<HttpHeader>) override {
    answered.status = status;
    co_return Result<void>{};
  }
  Task<Result<void>> write(std::string bytes) override {
    if (vanished) co_return fail(Errc::disconnected, "no reader");
    streamed += bytes;
    co_return Result<void>{};
  }
  Task<Result<void>> end() override { co_return Result<void>{}; }
  Task<Result<std::unique_ptr<WebSocketFrames>>> upgrade(std::string_view, std::vector<HttpHeader>) override {
    co_return fail(Errc::invalid_request, "no WebSocket");
  }

  HttpReply answered{.status = 0};
  std::string streamed;
  bool vanished = false;

 private:
  ServerRequest request_;
};

TEST_F(HubOverAcp, AClientOverHttpThatVanishesIsGoneAndItsTurnIsLeftToTheOthers) {
  make_frontend(false);
  hub::test::Gate gate(bench.loop);
  bench.script = hub::test::ends_after(gate);
  AcpOverHttp http(bench.loop, *frontend);
  const auto own = std::make_shared<HubSessions>(*bench.hub);
  const auto others = std::make_shared<HubSessions>(*bench.hub);
  Scope scope(bench.loop);
  const auto post = [&](std::vector<HttpHeader> headers, std::string body) {
    headers.push_back({.name = "Content-Type", .value = "application/json"});
    OneExchange exchange("POST", std::move(headers), std::move(body));
    bench.loop.block_on(http.handle(exchange, own));
    return exchange.answered;
  };
  const HttpReply begun = post({}, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}})");
  ASSERT_EQ(begun.status, 200) << begun.body;
  const HttpHeader connection{.name = "Acp-Connection-Id", .value = *find_header(begun.headers, "Acp-Connection-Id")};
  OneExchange stream("GET", {connection, {.name = "Accept", .value = "text/event-stream"}});
  OneExchange foreign("GET", {connection, {.name = "Accept", .value = "text/event-stream"}});
  bench.loop.block_on(http.handle(foreign, others));
  EXPECT_EQ(foreign.answered.status, 404) << "a connection belongs to its user, even if others know its name";
  scope.start(http.handle(stream, own));
  EXPECT_EQ(
      post({connection}, R"({"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/tmp","mcpServers":[]}})").status,
      202);
  settle();
  const std::string id = bench.hub->snapshot().conversations.front().id;
  EXPECT_THAT(stream.streamed, testing::HasSubstr(id));
  EXPECT_EQ(post({connection, {.name = "Acp-Session-Id", .value = id}},
                 R"({"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":")" + id +
                     R"(","prompt":[{"type":"text","text":"go"}]}})")
                .status,
            202);
  settle();
  bench.loop.advance(30min);
  EXPECT_EQ(http.connections(), 1U) << "it reads, and may be silent for long";
  stream.vanished = true;
  bench.loop.advance(1min);
  settle();
  EXPECT_EQ(http.connections(), 1U) << "it may come back";
  bench.loop.advance(limits::acp_http_idle + limits::acp_http_sweep);
  settle();
  EXPECT_EQ(http.connections(), 0U);
  EXPECT_EQ(frontend->connections(), 0U);
  EXPECT_EQ(bench.hub->find(id)->state, hub::ConversationState::running) << "no stop was requested";
  gate.release();
  settle();
  EXPECT_THAT(bench.trace(id), testing::EndsWith("turn_end"));
}

}  // namespace
}  // namespace parlance::face
