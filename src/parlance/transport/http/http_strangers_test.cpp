// SPDX-License-Identifier: Apache-2.0
// Which clients keep a connection of a full HTTP server, and the server's reachable addresses.
#include <sys/socket.h>

#include <gtest/gtest.h>

#include "parlance/base/check.h"
#include "parlance/transport/http/http_server.h"
#include "parlance/transport/tcp_connect.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;

class Strangers : public testing::Test {
 protected:
  // A client with a mark in the path is trusted.
  void serve(HttpServerSettings settings, const std::string& host = "127.0.0.1") {
    auto listening = HttpServer::listen(
        loop, {.host = host, .port = 0},
        [](HttpExchange& exchange) -> Task<void> {
          if (exchange.request().path == "/known") exchange.trust({});
          co_await exchange.respond({.body = "here"});
        },
        settings);
    ASSERT_TRUE(listening) << listening.error().message;
    server = *std::move(listening);
  }
  std::unique_ptr<ByteStream> connect(const std::string& host = "127.0.0.1") {
    auto stream = loop.block_on(tcp_connect(loop, host, server->port()));
    PARLANCE_CHECK(stream.has_value(), "a connection");
    return *std::move(stream);
  }
  // The answer's status, or 0: the connection is gone.
  int ask(ByteStream& stream, std::string_view path) {
    const auto exchange = [](Loop& l, ByteStream& s, std::string text) -> Task<int> {
      if (!co_await write_all(s, text)) co_return 0;
      std::string all;
      std::string buffer(1024, '\0');
      while (!all.ends_with("here")) {
        const auto reading = [](ByteStream& from, std::span<char> into) -> Task<Result<std::size_t>> {
          co_return co_await read_some(from, into);
        };
        const auto got = co_await with_deadline(l, l.now() + 60s, reading(s, buffer));
        if (!got || *got == 0) co_return 0;
        all.append(buffer, 0, *got);
      }
      co_return std::stoi(all.substr(9, 3));
    };
    return loop.block_on(exchange(loop, stream, "GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  }

  Loop loop;
  std::unique_ptr<HttpServer> server;
};

TEST_F(Strangers, TheOneThatWaitedLongestMakesRoom) {
  serve({.strangers = 3});
  std::vector<std::unique_ptr<ByteStream>> silent;
  silent.push_back(connect());
  EXPECT_EQ(ask(*silent[0], "/"), 200);  // answered, but without authentication
  for (int i = 1; i < 20; ++i) {
    silent.push_back(connect());
    EXPECT_EQ(ask(*silent.back(), "/"), 200) << i;
  }
  EXPECT_LE(server->connections(), 4U);
  EXPECT_EQ(ask(*silent[0], "/"), 0) << "it was the first to go";
  EXPECT_EQ(ask(*silent.back(), "/"), 200) << "the newest ones stay";
}

TEST_F(Strangers, ATrustedCallerStays) {
  serve({.connections = 4, .strangers = 2});
  const auto known = connect();
  EXPECT_EQ(ask(*known, "/known"), 200);
  std::vector<std::unique_ptr<ByteStream>> silent;
  for (int i = 0; i < 40; ++i) silent.push_back(connect());
  EXPECT_EQ(ask(*known, "/"), 200);
  const auto late = connect();
  EXPECT_EQ(ask(*late, "/known"), 200) << "behind forty that say nothing";
  EXPECT_LE(server->connections(), 4U);
}

// More connections than the server's limit, all silent.
TEST_F(Strangers, AFullServerMakesRoom) {
  serve({.connections = 4, .strangers = 1000});
  std::vector<std::unique_ptr<ByteStream>> silent;
  for (int i = 0; i < 50; ++i) silent.push_back(connect());
  const auto late = connect();
  EXPECT_EQ(ask(*late, "/known"), 200);
  EXPECT_LE(server->connections(), 4U);
}

bool listens_on_ipv6() {
  const int fd = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  ::close(fd);
  Loop loop;
  return HttpServer::listen(loop, {.host = "::1", .port = 0}, [](HttpExchange&) -> Task<void> { co_return; }).has_value();
}

TEST_F(Strangers, LocalhostIsBothLoopbackAddresses) {
  serve({}, "localhost");
  EXPECT_EQ(ask(*connect("127.0.0.1"), "/"), 200);
  if (!listens_on_ipv6()) GTEST_SKIP() << "this machine has no ::1";
  EXPECT_EQ(ask(*connect("::1"), "/"), 200);
  serve({.both_loopbacks = true}, "127.0.0.1");
  EXPECT_EQ(ask(*connect("127.0.0.1"), "/"), 200);
  EXPECT_EQ(ask(*connect("::1"), "/"), 200);
  serve({}, "127.0.0.1");
  EXPECT_FALSE(loop.block_on(tcp_connect(loop, "::1", server->port()))) << "an address that was named is that one alone";
}

// Another program on the other family's port would receive our requests.
TEST_F(Strangers, HalfOfLocalhostIsNotEnough) {
  if (!listens_on_ipv6()) GTEST_SKIP() << "this machine has no ::1";
  serve({}, "::1");
  const unsigned short port = server->port();
  const auto handler = [](HttpExchange&) -> Task<void> { co_return; };
  const auto half = HttpServer::listen(loop, {.host = "localhost", .port = port}, handler);
  ASSERT_FALSE(half);
  EXPECT_NE(half.error().message.find("::1"), std::string::npos) << half.error().message;
  EXPECT_TRUE(HttpServer::listen(loop, {.host = "127.0.0.1", .port = port}, handler, {.both_loopbacks = true}))
      << "without a named host, the first address suffices";
}

}  // namespace
}  // namespace parlance
