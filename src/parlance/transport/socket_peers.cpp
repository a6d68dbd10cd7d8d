// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/socket_peers.h"

#include <algorithm>
#include <cerrno>
#include <grp.h>
#include <pwd.h>
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

}  // namespace

Result<void> check_peer(int socket, const SocketPeers& allowed, const std::string& name) {
  ucred peer{};
  socklen_t length = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0)
    return fail(Errc::denied, name + ": the system does not say who is at the other end");
  if (peer.uid == allowed.own || peer.uid == 0) return {};
  if (std::ranges::find(allowed.users, peer.uid) != allowed.users.end()) return {};
  if (allowed.group && is_member(socket, peer.gid, *allowed.group)) return {};
  return fail(Errc::denied, name + ": the program at the other end belongs to the user " + user_name(peer.uid) +
                                ", so nothing was sent to it. Choose another path (--agent-socket), or trust that user "
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
