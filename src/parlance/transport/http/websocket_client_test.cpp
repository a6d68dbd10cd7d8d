// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/websocket_client.h"

#include <optional>

#include <gtest/gtest.h>

#include "parlance/async/scope.h"
#include "parlance/transport/http/http_server.h"
#include "parlance/transport/memory.h"
#include "parlance/transport/sockets.h"
#include "parlance/transport/tcp_connect.h"
#include "parlance/transport/tls/tls_stream.h"
#include "parlance/transport/tls/tls_test_certificate.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;
using Batch = std::vector<Bytes>;

Task<Result<Batch>> next_batch(Frames& frames) {
  const auto batch = co_await read_frames(frames);
  if (!batch) co_return fail(batch.error());
  co_return Batch(batch->begin(), batch->end());
}

struct SocketTest : testing::Test {
  void serve(HttpHandler handler, HttpServerSettings settings = {}) {
    auto listening = HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, std::move(handler), settings);
    ASSERT_TRUE(listening) << listening.error().message;
    server = *std::move(listening);
  }
  // Sends every message back; "bye" ends the connection.
  void serve_echo(HttpServerSettings settings = {}) {
    serve(
        [this](HttpExchange& exchange) -> Task<void> {
          auto frames = co_await exchange.upgrade("v2");
          if (!frames) co_return;
          ++upgrades;
          for (;;) {
            const auto batch = co_await read_frames(**frames);
            if (!batch) last_error = batch.error().message;
            if (!batch || batch->empty()) co_return;
            for (const BytesView frame : *batch) {
              EXPECT_TRUE((*frames)->send(frame));
              if (frame == "bye") co_return;
            }
          }
        },
        settings);
  }
  std::string url(std::string_view path = "/") const {
    return "ws://127.0.0.1:" + std::to_string(server->port()) + std::string(path);
  }
  Result<std::unique_ptr<WebSocketFrames>> connect(WebSocketClientSettings settings) {
    return loop.block_on(connect_websocket(loop, std::move(settings)));
  }
  // As many messages as named.
  Batch read(Frames& frames, std::size_t count) {
    Batch all;
    while (all.size() < count) {
      const auto batch = loop.block_on(next_batch(frames));
      if (!batch) all.push_back("error: " + batch.error().message);
      if (!batch || batch->empty()) break;
      all.insert(all.end(), batch->begin(), batch->end());
    }
    return all;
  }
  template <class F>
  void wait_for(F condition) {
    loop.run_until(condition);
    EXPECT_TRUE(condition());
  }

  Loop loop;
  std::unique_ptr<HttpServer> server;
  int upgrades = 0;
  std::string last_error;
};

TEST_F(SocketTest, MessagesTravelInBothDirections) {
  serve_echo();
  auto frames = connect({.url = url("/x?token=t")});
  ASSERT_TRUE(frames) << frames.error().message;
  EXPECT_EQ((*frames)->subprotocol(), "");
  const Batch sent{"one", "", std::string(125, 'a'), std::string(126, 'b'), std::string(65'536, 'c'), std::string(3 << 20, 'd'),
                   "last"};
  for (const Bytes& message : sent) EXPECT_TRUE((*frames)->send(message));
  EXPECT_TRUE(read(**frames, sent.size()) == sent);
  EXPECT_EQ(server->connections(), 1U);
  EXPECT_TRUE((*frames)->send("bye"));
  EXPECT_EQ(read(**frames, 9), Batch{"bye"});
  EXPECT_EQ((*frames)->close_code(), websocket::close_code::going_away);  // the handler released its frames
  frames->reset();
  wait_for([&] { return server->connections() == 0; });
}

TEST_F(SocketTest, TheSubprotocolIsAgreedUpon) {
  serve_echo();
  const auto both = connect({.url = url(), .subprotocols = {"v1", "v2"}});
  ASSERT_TRUE(both);
  EXPECT_EQ((*both)->subprotocol(), "v2");
  const auto other = connect({.url = url(), .subprotocols = {"v1"}});
  ASSERT_TRUE(other);
  EXPECT_EQ((*other)->subprotocol(), "");
}

TEST_F(SocketTest, AMessageBeyondTheLimitEndsTheConnectionWithItsCode) {
  serve_echo({.websocket_message_bytes = 1000});
  const auto frames = connect({.url = url()});
  ASSERT_TRUE(frames);
  EXPECT_TRUE((*frames)->send(std::string(3 << 20, 'x')));  // more than the system buffers: the server must not reset
  const Batch end = read(**frames, 1);
  EXPECT_EQ((*frames)->close_code(), websocket::close_code::too_large) << end.at(0);
}

TEST_F(SocketTest, AReasonOfTheApplicationArrivesThoughTheHandlerIsGone) {
  serve([](HttpExchange& exchange) -> Task<void> {
    auto frames = co_await exchange.upgrade("");
    (*frames)->close_with(4401, "no such token");
  });
  const auto frames = connect({.url = url()});
  ASSERT_TRUE(frames);
  EXPECT_TRUE((*frames)->send(std::string(100'000, 'x')));
  const Batch end = read(**frames, 1);
  ASSERT_EQ(end.size(), 1U);
  EXPECT_TRUE(end[0].ends_with("closed with 4401: no such token")) << end[0];
  wait_for([&] { return server->connections() == 0; });
}

TEST_F(SocketTest, FramesMayOutliveTheirExchange) {
  std::unique_ptr<WebSocketFrames> kept;
  serve([&](HttpExchange& exchange) -> Task<void> {
    auto frames = co_await exchange.upgrade("");
    kept = *std::move(frames);
  });
  const auto frames = connect({.url = url()});
  ASSERT_TRUE(frames);
  wait_for([&] { return kept != nullptr; });
  loop.run_for(5ms);
  EXPECT_TRUE(kept->send("still here"));
  EXPECT_EQ(read(**frames, 1), Batch{"still here"});
  EXPECT_EQ(server->connections(), 1U);
  server.reset();  // even the server, with closed connections
  EXPECT_FALSE(loop.block_on(next_batch(*kept)));
  EXPECT_TRUE(kept->send("into the void"));
}

TEST_F(SocketTest, DrainingSendsGoingAway) {
  serve_echo();
  const auto frames = connect({.url = url()});
  ASSERT_TRUE(frames);
  Scope scope(loop);
  bool drained = false;
  const auto drain = [&]() -> Task<void> {
    co_await server->drain(loop.now() + 10s);
    drained = true;
  };
  scope.start(drain());
  EXPECT_EQ(read(**frames, 1), Batch{});
  EXPECT_EQ((*frames)->close_code(), websocket::close_code::going_away);
  wait_for([&] { return drained; });
  EXPECT_EQ(server->connections(), 0U);
}

TEST_F(SocketTest, AnInvalidHandshakeIsRefused) {
  serve_echo();
  HttpClient client(loop);
  const std::vector<HttpHeader> good{{.name = "Connection", .value = "keep-alive, Upgrade"},
                                     {.name = "Upgrade", .value = "websocket"}};
  const auto ask = [&](std::vector<HttpHeader> headers) {
    return loop.block_on(client.fetch({.url = "http" + url().substr(2), .headers = std::move(headers)}));
  };
  EXPECT_EQ(ask({})->status, 400);
  auto headers = good;
  EXPECT_EQ(ask(headers)->status, 426);
  headers.push_back({.name = "Sec-WebSocket-Version", .value = "8"});
  EXPECT_EQ(*find_header(ask(headers)->headers, "Sec-WebSocket-Version"), "13");
  headers.back().value = "13";
  EXPECT_EQ(ask(headers)->status, 400);
  headers.push_back({.name = "Sec-WebSocket-Key", .value = "c2hvcnQ="});
  EXPECT_EQ(ask(headers)->status, 400);
  EXPECT_EQ(upgrades, 0);
}

TEST_F(SocketTest, AnswersOfEarlierRequestsComeBeforeTheUpgrade) {
  serve([](HttpExchange& exchange) -> Task<void> {
    if (!exchange.request().wants_websocket) {
      co_await exchange.respond({.body = "plain"});
      co_return;
    }
    const std::vector<HttpHeader> headers(1, HttpHeader{.name = "Acp-Connection-Id", .value = "c1"});
    auto frames = co_await exchange.upgrade("", headers);
    const auto batch = co_await read_frames(**frames);
    EXPECT_TRUE((*frames)->send(batch->front()));
  });
  const auto stream = loop.block_on(tcp_connect(loop, "127.0.0.1", server->port()));
  ASSERT_TRUE(stream);
  Bytes request =
      "GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\nUpgrade: WebSocket\r\nConnection: upgrade\r\n"
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  websocket::MaskSource masks;
  websocket::append_frame(request, websocket::Opcode::text, "early", &masks);
  Bytes all;
  const auto talk = [&]() -> Task<void> {
    EXPECT_TRUE(co_await write_all(**stream, request));
    Bytes buffer(4096, '\0');
    while (const auto count = co_await read_some(**stream, buffer)) {
      if (*count == 0) co_return;
      all.append(buffer, 0, *count);
    }
  };
  loop.block_on(talk());
  const std::size_t upgrade = all.find("HTTP/1.1 101 Switching Protocols\r\n");
  ASSERT_NE(upgrade, Bytes::npos) << all;
  EXPECT_LT(all.find("plain"), upgrade);
  EXPECT_NE(all.find("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"), Bytes::npos);  // the standard's example
  EXPECT_NE(all.find("\r\nAcp-Connection-Id: c1\r\n"), Bytes::npos);                               // the handler's own
  EXPECT_NE(all.find("\r\n\r\n\x81\x05"
                     "early\x88"),
            Bytes::npos);
}

TEST_F(SocketTest, AHandshakeSentBehindAnUnansweredRequestIsRefused) {
  Channel<int> go(loop, 1);
  serve([&](HttpExchange& exchange) -> Task<void> {
    if (exchange.request().wants_websocket) {
      EXPECT_FALSE(co_await exchange.upgrade(""));
    } else {
      co_await go.pop();
      co_await exchange.respond({.body = "slow"});
    }
  });
  const auto stream = loop.block_on(tcp_connect(loop, "127.0.0.1", server->port()));
  ASSERT_TRUE(stream);
  (*stream)->try_write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  wait_for([&] { return server->requests() == 1; });
  (*stream)->try_write(
      "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
  loop.run_for(5ms);
  go.try_push(1);
  Bytes buffer(4096, '\0');
  Bytes all;
  const auto read = [&]() -> Task<void> {
    while (all.find("earlier request") == Bytes::npos) all.append(buffer, 0, (co_await read_some(**stream, buffer)).value());
  };
  loop.block_on(read());
  EXPECT_NE(all.find("HTTP/1.1 400 "), Bytes::npos) << all;
}

TEST_F(SocketTest, ARefusalIsReportedWithItsReason) {
  serve([](HttpExchange& exchange) -> Task<void> {
    const int status = exchange.request().path == "/denied" ? 403 : exchange.request().path == "/busy" ? 503 : 404;
    co_await exchange.respond({.status = status, .body = "because"});
  });
  auto refused = connect({.url = url("/denied?token=secret")});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::denied);
  EXPECT_EQ(refused.error().message, url("/denied") + ": answered 403 Forbidden: because");
  EXPECT_EQ(connect({.url = url("/busy")}).error().code, Errc::overloaded);
  EXPECT_EQ(connect({.url = url("/gone")}).error().code, Errc::not_found);
  for (const char* bad : {"http://h/", "ws:/h", "ws://", "ws://h:x/", "ws://u@h/", "ws://h/a b"})
    EXPECT_EQ(connect({.url = bad}).error().code, Errc::invalid_request) << bad;
}

TEST_F(SocketTest, AnUnusedPortAndASilentServerAreDistinguished) {
  serve([this](HttpExchange&) -> Task<void> { co_await sleep_for(loop, 1h); });
  EXPECT_EQ(connect({.url = url(), .connect_timeout = 20ms}).error().code, Errc::deadline_exceeded);
  const std::string dead = url();
  loop.block_on(server->drain(Clock::now()));
  const auto refused = connect({.url = dead});
  EXPECT_EQ(refused.error().code, Errc::disconnected);
  EXPECT_TRUE(refused.error().message.ends_with("Connection refused")) << refused.error().message;
}

TEST_F(SocketTest, NamesAreResolved) {
  serve_echo();
  const auto frames = connect({.url = "ws://localhost:" + std::to_string(server->port())});
  ASSERT_TRUE(frames) << frames.error().message;
  EXPECT_TRUE((*frames)->send("by name"));
  EXPECT_EQ(read(**frames, 1), Batch{"by name"});
  const auto unknown = connect({.url = "ws://nowhere.invalid/"});
  ASSERT_FALSE(unknown);
  EXPECT_TRUE(unknown.error().message.starts_with("ws://nowhere.invalid/: connect to nowhere.invalid:80: "))
      << unknown.error().message;
}

TEST_F(SocketTest, ADisconnectedClientEndsItsHandler) {
  serve_echo();
  auto stream = loop.block_on(tcp_connect(loop, "127.0.0.1", server->port()));
  ASSERT_TRUE(stream);
  (*stream)->try_write(
      "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
  wait_for([&] { return upgrades == 1; });
  stream->reset();
  wait_for([&] { return server->connections() == 0; });
  EXPECT_NE(last_error, "");
}

// wss: a TLS stream in front of the plain server, like a proxy.
TEST_F(SocketTest, SpeaksTls) {
  const test::Certificate certificate("127.0.0.1");
  serve_echo();
  Scope scope(loop);
  std::unique_ptr<ByteStream> inside;
  std::unique_ptr<ByteStream> outside;
  const auto copy = [](ByteStream& from, ByteStream& to) -> Task<void> {
    Bytes buffer(10'000, '\0');
    for (;;) {
      const auto count = co_await read_some(from, buffer);
      if (!count || *count == 0) co_return to.close_output();
      if (!co_await write_all(to, BytesView(buffer).substr(0, *count))) co_return;
    }
  };
  const auto proxy = [&](std::unique_ptr<ByteStream> caller) -> Task<void> {
    auto secured = co_await tls_accept(loop, std::move(caller),
                                       {.certificate_file = certificate.certificate_file, .key_file = certificate.key_file});
    auto plain = co_await tcp_connect(loop, "127.0.0.1", server->port());
    if (!secured || !plain) co_return;
    outside = *std::move(secured);
    inside = *std::move(plain);
    scope.start(copy(*outside, *inside));
    scope.start(copy(*inside, *outside));
  };
  const auto listening = listen_tcp(loop, {.host = "127.0.0.1", .port = 0},
                                    [&](std::unique_ptr<ByteStream> caller) { scope.start(proxy(std::move(caller))); });
  ASSERT_TRUE(listening);
  const std::string secure_url = "wss://127.0.0.1:" + std::to_string((*listening)->port()) + "/";
  const auto frames = connect({.url = secure_url, .ca_file = certificate.certificate_file});
  ASSERT_TRUE(frames) << frames.error().message;
  const Bytes large(200'000, 'z');
  EXPECT_TRUE((*frames)->send(large));
  EXPECT_TRUE((*frames)->send("bye"));
  EXPECT_TRUE(read(**frames, 9) == (Batch{large, "bye"}));
  EXPECT_EQ((*frames)->close_code(), websocket::close_code::going_away);
  scope.cancel();
}

}  // namespace
}  // namespace parlance
