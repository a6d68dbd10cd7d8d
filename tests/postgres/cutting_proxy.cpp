// SPDX-License-Identifier: Apache-2.0
#include "tests/postgres/cutting_proxy.h"

#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace parlance::test {
namespace {

constexpr int look_ms = 20;  // whether the test has ended

sockaddr_in loopback(int port) {
  return {.sin_family = AF_INET,
          .sin_port = htons(static_cast<std::uint16_t>(port)),
          .sin_addr = {htonl(INADDR_LOOPBACK)},
          .sin_zero = {}};
}

bool send_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

// One direction: bytes in, whole messages out. A message is a letter and a length including itself; a client's first message has
// no letter.
class Messages {
 public:
  explicit Messages(bool first_has_letter) : letter_(first_has_letter ? 1 : 0) {}
  void add(std::string_view bytes) { bytes_ += bytes; }
  std::string next() {  // empty: none is complete
    if (bytes_.size() < letter_ + 4) return {};
    std::size_t length = letter_;
    std::size_t value = 0;
    for (std::size_t i = letter_; i < letter_ + 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes_[i]);
    length += value;
    if (bytes_.size() < length) return {};
    std::string message = bytes_.substr(0, length);
    bytes_.erase(0, length);
    letter_ = 1;
    return message;
  }

 private:
  std::size_t letter_;
  std::string bytes_;
};

// false: the side is closed, or the message for the cut has come.
bool pass(int from, int to, Messages& messages, std::atomic<int>& left, std::atomic<int>& cuts) {
  std::array<char, 16 << 10> buffer{};
  const ssize_t got = ::recv(from, buffer.data(), buffer.size(), 0);
  if (got <= 0) return false;
  messages.add({buffer.data(), static_cast<std::size_t>(got)});
  for (std::string one = messages.next(); !one.empty(); one = messages.next()) {
    if (left == 0) {
      left = -1;
      ++cuts;
      return false;
    }
    if (left > 0) --left;
    if (!send_all(to, one)) return false;
  }
  return true;
}

}  // namespace

CuttingProxy::CuttingProxy(int server_port)
    : server_port_(server_port), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_, 16) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
    throw std::runtime_error("no port for the proxy");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

CuttingProxy::~CuttingProxy() {
  ending_ = true;
  thread_.join();
  ::close(listener_);
}

// Without the two optional requests before a client's first message.
std::string CuttingProxy::address(const std::string& database) const {
  return "postgresql://parlance@127.0.0.1:" + std::to_string(port_) + "/" + database + (database.contains('?') ? "&" : "?") +
         "sslmode=disable&gssencmode=disable";
}

void CuttingProxy::serve() {
  while (!ending_) {
    pollfd waiting{.fd = listener_, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, look_ms) != 1) continue;
    const int client = ::accept(listener_, nullptr, nullptr);
    const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(server_port_);
    if (::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) serve_one(client, server);
    ::close(client);
    ::close(server);
  }
}

void CuttingProxy::serve_one(int client, int server) {
  Messages requests(false);
  Messages replies(true);
  while (!ending_) {
    std::array<pollfd, 2> both{{{.fd = client, .events = POLLIN, .revents = 0}, {.fd = server, .events = POLLIN, .revents = 0}}};
    if (::poll(both.data(), both.size(), look_ms) < 1) continue;
    if (both[0].revents != 0 && !pass(client, server, requests, requests_left_, cuts_)) return;
    if (both[1].revents != 0 && !pass(server, client, replies, replies_left_, cuts_)) return;
  }
}

}  // namespace parlance::test
