// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/listening_sockets.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parlance {
namespace {

using ::testing::HasSubstr;

// Owns the listening sockets.
struct Held {
  explicit Held(Result<ListeningSockets> made) : result(std::move(made)) {}
  ~Held() {
    if (result)
      for (const int fd : result->fds) ::close(fd);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  Result<ListeningSockets> result;
};

unsigned short port_of(int fd, int& family) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  EXPECT_EQ(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length), 0);
  family = address.ss_family;
  return ntohs(family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                  : reinterpret_cast<sockaddr_in&>(address).sin_port);
}
bool has_ipv6() { return Held(listen_on({.host = "::1", .port = 0}, false)).result.has_value(); }

TEST(ListeningSockets, AnyPortIsReportedAsTheRealPort) {
  const Held held(listen_on({.host = "127.0.0.1", .port = 0}, false));
  ASSERT_TRUE(held.result) << held.result.error().message;
  ASSERT_EQ(held.result->fds.size(), 1U);
  int family = 0;
  EXPECT_EQ(port_of(held.result->fds[0], family), held.result->port);
  EXPECT_NE(held.result->port, 0);
  EXPECT_EQ(family, AF_INET);
}

TEST(ListeningSockets, AreNonBlockingAndNotInherited) {
  const Held held(listen_on({.host = "127.0.0.1", .port = 0}, false));
  ASSERT_TRUE(held.result);
  EXPECT_NE(::fcntl(held.result->fds[0], F_GETFL) & O_NONBLOCK, 0);
  EXPECT_NE(::fcntl(held.result->fds[0], F_GETFD) & FD_CLOEXEC, 0);
}

TEST(ListeningSockets, ATakenPortIsAnErrorWithItsAddress) {
  const Held first(listen_on({.host = "127.0.0.1", .port = 0}, false));
  ASSERT_TRUE(first.result);
  const Held second(listen_on({.host = "127.0.0.1", .port = first.result->port}, false));
  ASSERT_FALSE(second.result);
  EXPECT_EQ(second.result.error().message,
            "listen on 127.0.0.1:" + std::to_string(first.result->port) +
                ": Address already in use: choose another port, or stop the program with this port");
}

TEST(ListeningSockets, AnInvalidAddressIsReported) {
  const Held held(listen_on({.host = "300.0.0.1.invalid", .port = 0}, false));
  ASSERT_FALSE(held.result);
  EXPECT_THAT(held.result.error().message, HasSubstr("listen on 300.0.0.1.invalid:0: "));
}

TEST(ListeningSockets, AnAddressOfAnotherMachineIsAnError) {
  const Held held(listen_on({.host = "192.0.2.1", .port = 0}, false));  // RFC 5737: reserved for documentation
  ASSERT_FALSE(held.result);
  EXPECT_THAT(held.result.error().message, HasSubstr("listen on 192.0.2.1:0: "));
}

TEST(ListeningSockets, LocalhostListensOnBothAddressesWithAPort) {
  const Held held(listen_on({.host = "localhost", .port = 0}, false));
  ASSERT_TRUE(held.result) << held.result.error().message;
  EXPECT_EQ(held.result->fds.size(), has_ipv6() ? 2U : 1U);
  int family = 0;
  for (const int fd : held.result->fds) EXPECT_EQ(port_of(fd, family), held.result->port);
}

TEST(ListeningSockets, LocalhostIsOursWholeOrNotAtAll) {
  if (!has_ipv6()) GTEST_SKIP() << "this machine has one loopback address";
  const Held other(listen_on({.host = "::1", .port = 0}, false));
  ASSERT_TRUE(other.result);
  const Held held(listen_on({.host = "localhost", .port = other.result->port}, false));
  ASSERT_FALSE(held.result);
  EXPECT_THAT(held.result.error().message, HasSubstr("Address already in use"));
  // Nothing is left of the half that was there already.
  const Held after(listen_on({.host = "127.0.0.1", .port = other.result->port}, false));
  EXPECT_TRUE(after.result);
}

TEST(ListeningSockets, ALoopbackAddressBindsTheOtherIfFree) {
  if (!has_ipv6()) GTEST_SKIP() << "this machine has one loopback address";
  for (const char* host : {"127.0.0.1", "::1"}) {
    const Held both(listen_on({.host = host, .port = 0}, true));
    ASSERT_TRUE(both.result) << both.result.error().message;
    EXPECT_EQ(both.result->fds.size(), 2U) << host;
  }
}

TEST(ListeningSockets, ALoopbackAddressAloneSufficesWithoutLocalhost) {
  if (!has_ipv6()) GTEST_SKIP() << "this machine has one loopback address";
  const Held other(listen_on({.host = "::1", .port = 0}, false));
  ASSERT_TRUE(other.result);
  const Held held(listen_on({.host = "127.0.0.1", .port = other.result->port}, true));
  ASSERT_TRUE(held.result) << held.result.error().message;
  EXPECT_EQ(held.result->fds.size(), 1U);
}

TEST(ListeningSockets, AnotherAddressIsBoundAlone) {
  const Held held(listen_on({.host = "127.0.0.2", .port = 0}, true));
  if (!held.result) GTEST_SKIP() << held.result.error().message;
  EXPECT_EQ(held.result->fds.size(), 1U);
}

}  // namespace
}  // namespace parlance
