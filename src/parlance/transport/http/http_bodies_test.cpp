// SPDX-License-Identifier: Apache-2.0
// Bodies of requests: when the server waits for them.
#include <gtest/gtest.h>

#include "parlance/transport/http/http_server_test_support.h"

namespace parlance {
namespace {

using test::echo;
using test::ServerTest;

TEST_F(ServerTest, AClientThatWaitsForTheGoAheadGetsIt) {
  serve(echo);
  const auto stream = connect();
  send(*stream, "POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(receive(*stream, "\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  send(*stream, "ok");
  EXPECT_TRUE(receive(*stream).ends_with("POST ok"));
}

// An unauthorised client is refused after the head, during the transfer of the body, without storing any of its bytes.
TEST_F(ServerTest, AnUnwantedBodyIsNotAwaited) {
  std::size_t handled = 0;
  serve(
      [&](HttpExchange& exchange) -> Task<void> {
        ++handled;
        EXPECT_EQ(exchange.request().body, "");
        co_await exchange.respond({.status = exchange.request().path == "/in" ? 200 : 401, .body = "reply"});
      },
      {}, [](const ServerRequest& head) { return head.path == "/in"; });
  for (const std::string body : {"Content-Length: 30000000\r\n\r\nx", "Transfer-Encoding: chunked\r\n\r\n5\r\nab",
                                 "Expect: 100-continue\r\nContent-Length: 9\r\n\r\n"}) {
    const Bytes answer = ask("POST /out HTTP/1.1\r\nHost: h\r\n" + body);  // … and then the end of the connection
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 401 ")) << answer;
    EXPECT_TRUE(answer.ends_with("reply")) << answer;
    EXPECT_NE(answer.find("Connection: close"), Bytes::npos) << answer;
  }
  EXPECT_EQ(handled, 3U);
  // Without a body to come the connection goes on.
  const auto stream = connect();
  send(*stream, "GET /out HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(receive(*stream, "reply").starts_with("HTTP/1.1 401 "));
  send(*stream, "POST /in HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
  EXPECT_TRUE(receive(*stream, "reply").starts_with("HTTP/1.1 200 "));
}

// 60 MB sent despite the refusal are dropped on arrival, and the answer remains readable.
TEST_F(ServerTest, ABodyThatIsSentAllTheSameIsDropped) {
  serve([](HttpExchange& exchange) -> Task<void> { co_await exchange.respond({.status = 401}); }, {},
        [](const ServerRequest&) { return false; });
  const auto stream = connect();
  send(*stream, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 60000000\r\n\r\n" + std::string(3'000'000, 'x'));
  const Bytes answer = receive(*stream);
  EXPECT_TRUE(answer.starts_with("HTTP/1.1 401 ")) << answer;
  wait_for([&] { return server->connections() == 1; });
}

TEST_F(ServerTest, ABodyBeyondTheLimitIsRefusedBeforeItIsThere) {
  serve(echo, {.body_bytes = 1000});
  EXPECT_TRUE(ask("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1001\r\n\r\n").starts_with("HTTP/1.1 413 "));
  EXPECT_TRUE(
      ask("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n200\r\n" + std::string(0x200, 'x') + "\r\n200\r\n")
          .starts_with("HTTP/1.1 413 "));
  // A client that keeps sending can read the answer too.
  const auto stream = connect();
  send(*stream, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\n" + std::string(200'000, 'x'));
  EXPECT_TRUE(receive(*stream).starts_with("HTTP/1.1 413 "));
}

}  // namespace
}  // namespace parlance
