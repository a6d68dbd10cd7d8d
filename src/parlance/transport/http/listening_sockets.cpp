// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/http/listening_sockets.h"

#include <cerrno>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "parlance/base/log.h"

namespace parlance {
namespace {

// Number of ports to try if any port will do and the other family's port is taken.
constexpr int port_attempts = 16;
// Connections held by the kernel while the server is busy or full; the kernel limits the number to net.core.somaxconn.
constexpr int listen_queue = 4096;

struct Listening {
  int fd;
  unsigned short port;
};

// Blocks for as long as a name takes to resolve: names to listen on are numbers or "localhost".
Result<Listening> open_listener(const HostPort& address) {
  const std::string doing = "listen on " + address.host + ":" + std::to_string(address.port);
  addrinfo hints{};
  hints.ai_flags = AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found); error != 0)
    return fail(Errc::failed, doing + ": " + ::gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned(found, &::freeaddrinfo);

  int last_error = 0;
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    const int fd = ::socket(at->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
      last_error = errno;
      continue;
    }
    const int on = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);  // a restart finds its port still in TIME_WAIT
    sockaddr_storage bound{};
    socklen_t length = sizeof bound;
    if (::bind(fd, at->ai_addr, at->ai_addrlen) == 0 && ::listen(fd, listen_queue) == 0 &&
        ::getsockname(fd, reinterpret_cast<sockaddr*>(&bound), &length) == 0) {
      const auto port = bound.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(bound).sin6_port
                                                    : reinterpret_cast<const sockaddr_in&>(bound).sin_port;
      return Listening{.fd = fd, .port = ntohs(port)};
    }
    last_error = errno;
    ::close(fd);
  }
  Error error = system_error(doing, last_error);
  if (last_error == EADDRINUSE) error.message += ": choose another port, or stop the program with this port";
  return fail(std::move(error));
}

// A machine without IPv6 (or without IPv4) has one loopback address, and no client tries the other.
bool has_address(const std::string& host) {
  if (auto tried = open_listener({.host = host, .port = 0})) {
    ::close(tried->fd);
    return true;
  }
  return false;
}

// The first loopback address, and the same port of the other family. Another program there would receive our requests, so
// `localhost` needs both addresses; without a named host, the first address suffices.
Result<ListeningSockets> open_loopbacks(HostPort first, bool by_name) {
  const std::string second = first.host == "::1" ? "127.0.0.1" : "::1";
  const bool any_port = first.port == 0;
  for (int attempt = 0;; ++attempt) {
    PARLANCE_TRY(listener, open_listener(first));
    if (!has_address(second)) return ListeningSockets{.fds = {listener.fd}, .port = listener.port};
    const auto second_listener = open_listener({.host = second, .port = listener.port});
    if (second_listener) return ListeningSockets{.fds = {listener.fd, second_listener->fd}, .port = listener.port};
    if (!any_port && !by_name) {
      log(LogLevel::warn, "another program serves this port on the other loopback address, and may receive requests to localhost",
          {{"address", second}, {"why", second_listener.error().message}});
      return ListeningSockets{.fds = {listener.fd}, .port = listener.port};
    }
    ::close(listener.fd);
    if (!any_port || attempt == port_attempts) return std::unexpected(second_listener.error());
  }
}

}  // namespace

Result<ListeningSockets> listen_on(const HostPort& address, bool both_loopbacks) {
  if (address.host == "localhost") {
    if (has_address("127.0.0.1")) return open_loopbacks({.host = "127.0.0.1", .port = address.port}, true);
    return open_loopbacks({.host = "::1", .port = address.port}, true);
  }
  if (both_loopbacks && (address.host == "127.0.0.1" || address.host == "::1")) return open_loopbacks(address, false);
  PARLANCE_TRY(one, open_listener(address));
  return ListeningSockets{.fds = {one.fd}, .port = one.port};
}

}  // namespace parlance
