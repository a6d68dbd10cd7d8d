// SPDX-License-Identifier: Apache-2.0
// The server's own life: it drains, is full, runs out of descriptors, finds its port taken.
#include <sys/resource.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/transport/http/http_server_test_support.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;
using test::echo;
using test::ServerTest;

TEST_F(ServerTest, DrainingLetsRunningRequestsEndAndAcceptsNoOthers) {
  Channel<int> go(loop, 1);
  serve([&](HttpExchange& exchange) -> Task<void> {
    co_await go.pop();
    co_await exchange.respond({.body = "done"});
  });
  const auto idle = connect();
  const auto busy = connect();
  send(*busy, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  wait_for([&] { return server->requests() == 1 && server->connections() == 2; });
  bool drained = false;
  Scope scope(loop);
  const auto drain = [&]() -> Task<void> {
    co_await server->drain(loop.now() + 1h);
    drained = true;
  };
  scope.start(drain());
  EXPECT_EQ(receive(*idle), "");
  EXPECT_FALSE(loop.block_on(tcp_connect(loop, "127.0.0.1", server->port())));
  EXPECT_FALSE(drained);
  go.try_push(1);
  const Bytes answer = receive(*busy);
  EXPECT_TRUE(answer.ends_with("done"));
  EXPECT_NE(answer.find("Connection: close\r\n"), Bytes::npos);
  idle->close();
  busy->close();
  wait_for([&] { return drained; });
  EXPECT_EQ(server->connections(), 0U);
}

TEST_F(ServerTest, ADrainThatTakesTooLongCancels) {
  bool destroyed = false;
  serve([&](HttpExchange&) -> Task<void> {
    struct Gone {
      bool& flag;
      ~Gone() { flag = true; }
    };
    const Gone gone{destroyed};
    co_await sleep_for(loop, 1h);
  });
  const auto stream = connect();
  send(*stream, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  wait_for([&] { return server->requests() == 1; });
  loop.block_on(server->drain(Clock::now() + 10ms));
  EXPECT_TRUE(destroyed);
  EXPECT_EQ(server->connections(), 0U);
}

TEST_F(ServerTest, AFullServerAcceptsAgainWhenAConnectionEnds) {
  const HttpHandler trusting = [](HttpExchange& exchange) -> Task<void> {
    exchange.trust({});  // a stranger would make room
    co_await echo(exchange);
  };
  serve(trusting, {.connections = 2});
  auto client = connect();
  auto two = connect();
  for (ByteStream* stream : {client.get(), two.get()}) {
    send(*stream, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    EXPECT_TRUE(receive(*stream, "GET ").starts_with("HTTP/1.1 200"));
  }
  auto three = connect();  // by the kernel
  send(*three, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  loop.run_for(20ms);
  EXPECT_EQ(server->connections(), 2U);
  EXPECT_EQ(server->requests(), 2U);
  client.reset();
  EXPECT_TRUE(receive(*three, "GET ").starts_with("HTTP/1.1 200"));
}

TEST_F(ServerTest, RunningOutOfDescriptorsPassesOver) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "sanitizers need descriptors of their own: without any, they take every object for a broken one";
#endif
#endif
  serve(echo);
  auto stream = connect();
  send(*stream, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  receive(*stream, "GET ");
  const auto second = connect();
  rlimit old{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &old), 0);
  const int probe = ::dup(0);  // the lowest free number is the limit from here on
  ASSERT_GE(probe, 0);
  ::close(probe);
  // The server takes the second connection's number if it accepts it before the limit falls; the third is refused in any case.
  rlimit low = old;
  low.rlim_cur = static_cast<rlim_t>(probe);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
  loop.run_for(20ms);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &old), 0);
  send(*second, "GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(receive(*second, "GET ").starts_with("HTTP/1.1 200"));
}

TEST_F(ServerTest, APortInUseIsExplained) {
  serve(echo);
  const auto again = HttpServer::listen(loop, {.host = "127.0.0.1", .port = server->port()}, echo);
  ASSERT_FALSE(again);
  EXPECT_TRUE(
      again.error().message.starts_with("listen on 127.0.0.1:" + std::to_string(server->port()) + ": Address already in use"));
}

}  // namespace
}  // namespace parlance
