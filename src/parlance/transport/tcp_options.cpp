// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/tcp_options.h"

#include <chrono>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "parlance/transport/limits.h"

namespace parlance {
namespace {

void set(int fd, int level, int option, int value) { ::setsockopt(fd, level, option, &value, sizeof value); }

constexpr int seconds(std::chrono::seconds time) { return static_cast<int>(time.count()); }
constexpr int milliseconds(std::chrono::milliseconds time) { return static_cast<int>(time.count()); }

}  // namespace

void set_tcp_options(int fd) {
  set(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  set(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
  set(fd, IPPROTO_TCP, TCP_KEEPIDLE, seconds(limits::tcp_silence));
  set(fd, IPPROTO_TCP, TCP_KEEPINTVL, seconds(limits::tcp_question_every));
  set(fd, IPPROTO_TCP, TCP_KEEPCNT, limits::tcp_questions);
  set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, milliseconds(limits::stall));
}

}  // namespace parlance
