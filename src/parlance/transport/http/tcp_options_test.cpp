// SPDX-License-Identifier: Apache-2.0
// Vanished peers are detected: checked on the sockets of real servers and clients.
#include <array>
#include <cstring>
#include <functional>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <gtest/gtest.h>

#include "parlance/async/channel.h"
#include "parlance/async/scope.h"
#include "parlance/transport/http/http_client.h"
#include "parlance/transport/http/http_server.h"
#include "parlance/transport/limits.h"
#include "parlance/transport/sockets.h"
#include "parlance/transport/tcp_connect.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;

int option(int fd, int level, int name) {
  int value = -1;
  socklen_t length = sizeof value;
  return ::getsockopt(fd, level, name, &value, &length) == 0 ? value : -1;
}

// Connected TCP sockets of this process, which holds both ends.
std::vector<int> tcp_sockets() {
  std::vector<int> found;
  rlimit most{};
  ::getrlimit(RLIMIT_NOFILE, &most);
  for (int fd = 3; fd < 1024 && static_cast<rlim_t>(fd) < most.rlim_cur; ++fd) {
    sockaddr_storage peer{};
    socklen_t length = sizeof peer;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &length) == 0 && peer.ss_family == AF_INET) found.push_back(fd);
  }
  return found;
}

void expect_both_ends_ask(Loop& loop, const std::function<bool()>& accepted) {
  loop.run_until(accepted, 10s);
  const std::vector<int> ends = tcp_sockets();
  EXPECT_EQ(ends.size(), 2U);
  for (const int fd : ends) {
    EXPECT_EQ(option(fd, SOL_SOCKET, SO_KEEPALIVE), 1);
    EXPECT_EQ(option(fd, IPPROTO_TCP, TCP_NODELAY), 1);
    const std::chrono::seconds silence(option(fd, IPPROTO_TCP, TCP_KEEPIDLE));
    const std::chrono::seconds every(option(fd, IPPROTO_TCP, TCP_KEEPINTVL));
    EXPECT_EQ(silence + every * option(fd, IPPROTO_TCP, TCP_KEEPCNT), limits::stall);
    EXPECT_EQ(std::chrono::milliseconds(option(fd, IPPROTO_TCP, TCP_USER_TIMEOUT)), limits::stall);
  }
}

TEST(TcpOptions, AnHttpServerAndItsClientNoticeThatTheOtherVanished) {
  Loop loop;
  const auto server = HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, [](HttpExchange&) -> Task<void> { co_return; });
  ASSERT_TRUE(server);
  const auto client = loop.block_on(tcp_connect(loop, "127.0.0.1", (*server)->port()));
  ASSERT_TRUE(client);
  expect_both_ends_ask(loop, [&] { return (*server)->connections() == 1; });
}

TEST(TcpOptions, SoDoesAClientThatOnlyListensToAStream) {
  Loop loop;
  Signal never(loop);
  const auto server = HttpServer::listen(loop, {.host = "127.0.0.1", .port = 0}, [&never](HttpExchange& exchange) -> Task<void> {
    static_cast<void>(co_await exchange.begin(200, {{.name = "Content-Type", .value = "text/event-stream"}}));
    co_await never.wait();
  });
  ASSERT_TRUE(server);
  HttpClient client(loop);
  Scope scope(loop);
  const auto listen = [&]() -> Task<void> {
    static_cast<void>(co_await client.fetch({.method = "GET", .url = "http://127.0.0.1:" + std::to_string((*server)->port())}));
  };
  scope.start(listen());
  expect_both_ends_ask(loop, [&] { return (*server)->connections() == 1; });
  scope.cancel();
}

TEST(TcpOptions, ListenersAndTheirClientsSetThemToo) {
  Loop loop;
  std::unique_ptr<ByteStream> accepted;
  const auto listener = listen_tcp(loop, {.host = "127.0.0.1", .port = 0},
                                   [&](std::unique_ptr<ByteStream> stream) { accepted = std::move(stream); });
  ASSERT_TRUE(listener);
  const auto client = loop.block_on(connect_tcp(loop, {.host = "127.0.0.1", .port = (*listener)->port()}));
  ASSERT_TRUE(client);
  expect_both_ends_ask(loop, [&] { return accepted != nullptr; });
}

}  // namespace
}  // namespace parlance
