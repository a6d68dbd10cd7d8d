// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/socket_peers.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <grp.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sstream>
#include <sys/socket.h>

#include "parlance/base/text.h"

namespace parlance {
namespace {

constexpr std::size_t account_bytes = 16 << 10;  // of one entry of the user or group database; glibc suggests 1 KiB
constexpr std::size_t most_groups = 65536;       // NGROUPS_MAX of Linux

bool is_member(int socket, gid_t first, gid_t group) {
  if (first == group) return true;
#ifdef SO_PEERGROUPS
  std::vector<gid_t> groups(64);
  socklen_t length = static_cast<socklen_t>(groups.size() * sizeof(gid_t));
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups.data(), &length) != 0) {
    if (errno != ERANGE || length > most_groups * sizeof(gid_t)) return false;
    groups.resize(length / sizeof(gid_t));
    if (::getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups.data(), &length) != 0) return false;
  }
  groups.resize(length / sizeof(gid_t));
  return std::ranges::find(groups, group) != groups.end();
#else
  return false;
#endif
}

// An end of a connection: IPv6, or IPv4 in its IPv6 form.
struct TcpEnd {
  std::array<std::uint8_t, 16> address{};
  std::uint16_t port = 0;
  friend bool operator==(const TcpEnd&, const TcpEnd&) = default;
};
constexpr std::array<std::uint8_t, 12> ipv4_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

std::optional<TcpEnd> end_of(const sockaddr_storage& from) {
  TcpEnd end;
  if (from.ss_family == AF_INET6) {
    const auto& six = reinterpret_cast<const sockaddr_in6&>(from);
    std::memcpy(end.address.data(), &six.sin6_addr, end.address.size());
    end.port = ntohs(six.sin6_port);
  } else if (from.ss_family == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(from);
    std::ranges::copy(ipv4_prefix, end.address.begin());
    std::memcpy(end.address.data() + ipv4_prefix.size(), &four.sin_addr, sizeof four.sin_addr);
    end.port = ntohs(four.sin_port);
  } else {
    return std::nullopt;
  }
  return end;
}

// "0100007F:1F90": words of 32 bits in the byte order of the machine, and the port.
std::optional<TcpEnd> end_in_table(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon != 8 && colon != 32) return std::nullopt;
  TcpEnd end;
  std::size_t at = 0;
  if (colon == 8) at = static_cast<std::size_t>(std::ranges::copy(ipv4_prefix, end.address.begin()).out - end.address.begin());
  const auto hex = [](std::string_view digits, auto& number) {
    return std::from_chars(digits.data(), digits.data() + digits.size(), number, 16).ec == std::errc();
  };
  for (std::size_t word = 0; word < colon; word += 8, at += 4) {
    std::uint32_t bytes = 0;
    if (!hex(text.substr(word, 8), bytes)) return std::nullopt;
    std::memcpy(end.address.data() + at, &bytes, sizeof bytes);
  }
  if (!hex(text.substr(colon + 1), end.port)) return std::nullopt;
  return end;
}

}  // namespace

std::optional<uid_t> tcp_peer_user(int socket) {
  sockaddr_storage here{};
  sockaddr_storage there{};
  socklen_t here_size = sizeof here;
  socklen_t there_size = sizeof there;
  if (::getsockname(socket, reinterpret_cast<sockaddr*>(&here), &here_size) != 0 ||
      ::getpeername(socket, reinterpret_cast<sockaddr*>(&there), &there_size) != 0)
    return std::nullopt;
  const auto own = end_of(here);
  const auto other = end_of(there);
  if (!own || !other) return std::nullopt;
  for (const char* const table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream rows(table);
    for (std::string row; std::getline(rows, row);) {
      std::istringstream words(row);
      std::string number, local, remote, state, queues, timer, retransmits, skipped;
      uid_t user = 0;
      unsigned long inode = 0;
      if (!(words >> number >> local >> remote >> state >> queues >> timer >> retransmits >> user >> skipped >> inode)) continue;
      // The kernel shows root as the user of a connection without a program, and no inode.
      if (inode != 0 && end_in_table(local) == other && end_in_table(remote) == own) return user;
    }
  }
  return std::nullopt;
}

Result<void> check_tcp_peer(int socket) {
  const auto user = tcp_peer_user(socket);
  if (user && (*user == ::geteuid() || *user == 0)) return {};
  return fail(Errc::denied, "the port serves only programs of the user " + user_name(::geteuid()) +
                                (user ? "; the program at the other end belongs to the user " + user_name(*user) : ""));
}

Result<void> check_peer(int socket, const SocketPeers& allowed, const std::string& name) {
  ucred peer{};
  socklen_t length = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0)
    return fail(Errc::denied, name + ": the system does not name the user at the other end");
  if (peer.uid == allowed.own || peer.uid == 0) return {};
  if (std::ranges::find(allowed.users, peer.uid) != allowed.users.end()) return {};
  if (allowed.group && is_member(socket, peer.gid, *allowed.group)) return {};
  return fail(Errc::denied, name + ": the program at the other end belongs to the user " + user_name(peer.uid) +
                                ", so nothing was sent to it. Choose another path (--agent-socket), or trust the user "
                                "(--agent-user " +
                                user_name(peer.uid) + ")");
}

Result<uid_t> user_id(const std::string& user) {
  if (const auto number = parse_number<uid_t>(user)) return *number;
  std::vector<char> buffer(account_bytes);
  passwd entry{};
  passwd* found = nullptr;
  ::getpwnam_r(user.c_str(), &entry, buffer.data(), buffer.size(), &found);
  if (found == nullptr) return fail(Errc::invalid_params, "\"" + user + "\" is no user of this machine");
  return found->pw_uid;
}

Result<gid_t> group_id(const std::string& group_text) {
  if (const auto number = parse_number<gid_t>(group_text)) return *number;
  std::vector<char> buffer(account_bytes);
  struct group entry{};
  struct group* found = nullptr;
  ::getgrnam_r(group_text.c_str(), &entry, buffer.data(), buffer.size(), &found);
  if (found == nullptr) return fail(Errc::invalid_params, "\"" + group_text + "\" is no group of this machine");
  return found->gr_gid;
}

std::string user_name(uid_t user) {
  std::vector<char> buffer(account_bytes);
  passwd entry{};
  passwd* found = nullptr;
  ::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found);
  return found != nullptr ? found->pw_name : std::to_string(user);
}

}  // namespace parlance
