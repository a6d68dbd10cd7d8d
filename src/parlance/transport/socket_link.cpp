// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/socket_link.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <optional>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

#include "parlance/base/secret.h"
#include "parlance/transport/socket_peers.h"

namespace parlance {
namespace {

std::optional<std::string> target_of(const std::string& link) {
  std::string target(PATH_MAX, '\0');
  const ssize_t size = ::readlink(link.c_str(), target.data(), target.size());
  if (size <= 0) return std::nullopt;
  target.resize(static_cast<std::size_t>(size));
  return target;
}

// Only for paths of our own user.
bool accepts_connections(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return false;
  std::memcpy(address.sun_path, path.data(), path.size());
  const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (probe < 0) return true;
  const bool answered = ::connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 || errno == EAGAIN;
  ::close(probe);
  return answered;
}

Result<void> check_in_the_way(const std::string& link, const std::string& socket) {
  struct stat found{};
  if (::lstat(link.c_str(), &found) != 0) return {};
  const auto refuse = [&](const std::string& why) {
    return fail(Errc::denied, link + " " + why + "; programs that are set to it do not reach us, but " + socket);
  };
  if (found.st_uid != ::geteuid()) return refuse("belongs to the user " + user_name(found.st_uid));
  if (S_ISLNK(found.st_mode)) {
    if (const auto target = target_of(link); target && *target != socket && accepts_connections(*target))
      return refuse("leads to another agent of yours, " + *target);
    return {};
  }
  if (!S_ISSOCK(found.st_mode)) return refuse("is no socket");
  if (accepts_connections(link)) return refuse("is the socket of another program of yours");
  return {};
}

}  // namespace

Result<SocketLink> SocketLink::make(const std::string& link, const std::string& socket) {
  PARLANCE_TRY_DO(check_in_the_way(link, socket));
  // rename replaces the old entry. In a sticky folder it succeeds only for entries of our user, also if the entry has changed since
  // the check.
  const std::string temporary = link + make_id(".new_");
  if (::symlink(socket.c_str(), temporary.c_str()) != 0) return std::unexpected(system_error(temporary, errno));
  if (::rename(temporary.c_str(), link.c_str()) != 0) {
    const int error = errno;
    ::unlink(temporary.c_str());
    return std::unexpected(system_error(link, error));
  }
  return SocketLink(link, socket);
}

SocketLink::SocketLink(SocketLink&& other) noexcept
    : link_(std::exchange(other.link_, {})), socket_(std::exchange(other.socket_, {})) {}

SocketLink::~SocketLink() {
  if (!link_.empty() && target_of(link_) == socket_) ::unlink(link_.c_str());
}

}  // namespace parlance
