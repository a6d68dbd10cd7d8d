// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/sockets.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

#include "parlance/async/loop_asio.h"
#include "parlance/base/log.h"
#include "parlance/transport/fd_stream.h"
#include "parlance/transport/tcp_options.h"

namespace parlance {
namespace {

using namespace std::chrono_literals;

constexpr int backlog = 1024;
constexpr int accepts_per_wake_up = 64;  // then others get their turn
constexpr auto accept_back_off = 100ms;  // out of descriptors: wait until some are free again

class Fd {
 public:
  explicit Fd(int fd = -1) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&&) = delete;
  ~Fd() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_;
};

// ---- addresses -------------------------------------------------------------------------------------------------------

Result<sockaddr_un> unix_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path)
    return fail(Errc::invalid_params,
                "unix:" + path + ": a socket path has 1 to " + std::to_string(sizeof address.sun_path - 1) + " bytes");
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

struct AddressList {
  addrinfo* first = nullptr;
  ~AddressList() {
    if (first != nullptr) ::freeaddrinfo(first);
  }
};

// Numeric addresses and localhost need no network; other names ask the resolver, possibly blocking for a moment.
Result<void> resolve(const HostPort& address, bool passive, AddressList& out) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | (passive ? AI_PASSIVE : 0);
  const int error = ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &out.first);
  if (error != 0) return fail(Errc::not_found, address.host + ": " + ::gai_strerror(error));
  return {};
}

// ---- listening -------------------------------------------------------------------------------------------------------

class SocketListener final : public Listener {
 public:
  struct State : std::enable_shared_from_this<State> {
    State(Loop& l, OnConnection f) : loop(l), on_connection(std::move(f)), socket(io_of(l)) {}

    void listen() {
      socket.async_wait(AsioDescriptor::wait_read, [self = shared_from_this()](const boost::system::error_code& code) {
        if (code || !self->open) return;
        Loop::Turn turn(self->loop);
        self->accept_some();
      });
    }

    void accept_some() {
      for (int i = 0; i < accepts_per_wake_up && open; ++i) {
        Fd fd(::accept4(socket.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (fd) {
          take(std::move(fd));
          continue;
        }
        if (errno == EINTR || errno == ECONNABORTED) continue;
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS) {
          log(LogLevel::warn, "cannot accept connections for now", {{"listener", name}, {"reason", std::strerror(errno)}});
          back_off.emplace(*this);
          return;
        }
        break;
      }
      if (open) listen();
    }

    void take(Fd fd) {
      if (is_unix) {
        if (const auto checked = check_peer(fd.get(), peers, name); !checked) {
          log(LogLevel::warn, "turned away a connection of another user", {{"why", checked.error().message}});
          return;
        }
      } else {
        set_tcp_options(fd.get());
      }
      const int number = fd.release();
      on_connection(fd_stream(loop, number, name, ReadWait::looking));
    }

    struct BackOff final : Timer {
      explicit BackOff(State& s) : state(s) { start(s.loop, s.loop.now() + accept_back_off); }
      void on_timer() override { state.listen(); }
      State& state;
    };

    Loop& loop;
    OnConnection on_connection;
    AsioDescriptor socket;
    std::string name;
    SocketPeers peers;
    bool is_unix = false;
    bool open = true;
    std::optional<BackOff> back_off;
  };

  SocketListener(std::shared_ptr<State> state, std::string path, unsigned short port)
      : state_(std::move(state)), path_(std::move(path)), port_(port) {
    struct stat made{};
    if (!path_.empty() && ::stat(path_.c_str(), &made) == 0) inode_ = made.st_ino;
    state_->listen();
  }
  ~SocketListener() {
    state_->open = false;
    state_->back_off.reset();
    boost::system::error_code ignored;
    state_->socket.close(ignored);
    struct stat now{};
    if (!path_.empty() && ::stat(path_.c_str(), &now) == 0 && now.st_ino == inode_) ::unlink(path_.c_str());
  }
  std::string address() const override { return state_->name; }
  unsigned short port() const override { return port_; }

 private:
  std::shared_ptr<State> state_;
  std::string path_;
  unsigned short port_;
  ino_t inode_ = 0;
};

// Users with write access to a folder without the sticky bit could replace our socket.
Result<void> check_folder(const std::string& path, const SocketPeers& peers) {
  const std::size_t slash = path.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  struct stat found{};
  if (::stat(folder.c_str(), &found) != 0) return std::unexpected(system_error("unix:" + path, errno));
  const bool sticky = (found.st_mode & S_ISVTX) != 0;
  const bool shared = (found.st_mode & 022) != 0;
  if ((found.st_uid == peers.own || found.st_uid == 0) && (!shared || sticky)) return {};
  if (found.st_uid == peers.own && (found.st_mode & 002) == 0 && found.st_gid == ::getegid()) return {};  // umask 002
  return fail(Errc::denied, "unix:" + path + ": other users may write to the folder " + folder +
                                " and could replace the socket; choose another path, or run: chmod go-w " + folder);
}

// A link to a missing socket, left by a killed agent (socket_link.h). Any other link belongs to a user, whatever its target.
bool leads_to_no_socket(const std::string& path, const struct stat& found) {
  struct stat target{};
  std::error_code none;
  return S_ISLNK(found.st_mode) && ::stat(path.c_str(), &target) != 0 && errno == ENOENT &&
         std::filesystem::read_symlink(path, none).extension() == ".sock";
}

// A socket file without a listener may be removed; no other file may.
Result<void> clear_stale_path(const std::string& path, const sockaddr_un& address, const SocketPeers& peers) {
  struct stat found{};
  if (::lstat(path.c_str(), &found) != 0) return {};
  if (found.st_uid != peers.own)
    return fail(Errc::denied,
                "unix:" + path + ": the path belongs to the user " + user_name(found.st_uid) + "; choose another path");
  if (!S_ISSOCK(found.st_mode) && !leads_to_no_socket(path, found))
    return fail(Errc::denied, "unix:" + path + ": the path exists and is not a socket; choose another path or remove the file");
  const Fd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (probe && ::connect(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    return fail(Errc::denied, "unix:" + path + ": another program already listens there; stop it or choose another path");
  if (errno != ECONNREFUSED && errno != ENOENT) return std::unexpected(system_error("unix:" + path, errno));
  if (::unlink(path.c_str()) != 0 && errno != ENOENT)
    return std::unexpected(system_error("unix:" + path + ": remove the stale socket", errno));
  return {};
}

}  // namespace

Result<std::unique_ptr<Listener>> listen_unix(Loop& loop, const std::string& path, OnConnection on_connection,
                                              SocketPeers peers) {
  PARLANCE_TRY(address, unix_address(path));
  PARLANCE_TRY_DO(check_folder(path, peers));
  PARLANCE_TRY_DO(clear_stale_path(path, address, peers));
  Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  // The descriptor gets the mode before bind creates the file, so the file is never accessible to others.
  if (!fd || ::fchmod(fd.get(), 0600) != 0 ||
      ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || ::chmod(path.c_str(), 0600) != 0)
    return std::unexpected(system_error("unix:" + path, errno));
  if (peers.group && (::lchown(path.c_str(), static_cast<uid_t>(-1), *peers.group) != 0 || ::chmod(path.c_str(), 0660) != 0)) {
    const int error = errno;
    ::unlink(path.c_str());
    return std::unexpected(system_error("unix:" + path + ": set the group of the socket", error));
  }
  if (::listen(fd.get(), backlog) != 0) return std::unexpected(system_error("unix:" + path, errno));
  auto state = std::make_shared<SocketListener::State>(loop, std::move(on_connection));
  state->name = "unix:" + path;
  state->is_unix = true;
  state->peers = std::move(peers);
  state->socket.assign(fd.release());
  return std::make_unique<SocketListener>(std::move(state), path, static_cast<unsigned short>(0));
}

Result<std::unique_ptr<Listener>> listen_tcp(Loop& loop, const HostPort& address, OnConnection on_connection,
                                             bool loopback_only) {
  if (loopback_only && !is_loopback(address.host))
    return fail(Errc::denied, "tcp:" + address.host + ": only loopback addresses are served (127.0.0.1, ::1, localhost)");
  AddressList list;
  PARLANCE_TRY_DO(resolve(address, true, list));
  Fd fd(::socket(list.first->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int on = 1;
  const std::string shown = "tcp:" + address.host + ":" + std::to_string(address.port);
  if (!fd || ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      ::bind(fd.get(), list.first->ai_addr, list.first->ai_addrlen) != 0 || ::listen(fd.get(), backlog) != 0)
    return std::unexpected(system_error(shown, errno));
  sockaddr_storage bound{};
  socklen_t length = sizeof bound;
  ::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&bound), &length);
  const unsigned short port = ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(bound).sin6_port
                                                                : reinterpret_cast<const sockaddr_in&>(bound).sin_port);
  auto state = std::make_shared<SocketListener::State>(loop, std::move(on_connection));
  state->name = "tcp:" + address.host + ":" + std::to_string(port);
  state->socket.assign(fd.release());
  return std::make_unique<SocketListener>(std::move(state), std::string{}, port);
}

// ---- connecting ------------------------------------------------------------------------------------------------------

namespace {

// co_await until a connecting socket can be written to.
class Connected {
 public:
  Connected(Loop& loop, int fd) : state_(std::make_shared<State>(loop, fd)) {}
  ~Connected() {
    state_->waiting = {};
    boost::system::error_code ignored;
    state_->socket.cancel(ignored);
    state_->socket.release();
  }
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> waiting) {
    state_->waiting = waiting;
    state_->socket.async_wait(AsioDescriptor::wait_write, [state = state_](const boost::system::error_code&) {
      if (!state->waiting) return;
      Loop::Turn turn(state->loop);
      std::exchange(state->waiting, {}).resume();
    });
  }
  void await_resume() const {}

 private:
  struct State {
    State(Loop& l, int fd) : loop(l), socket(io_of(l), fd) {}
    Loop& loop;
    AsioDescriptor socket;
    std::coroutine_handle<> waiting;
  };
  std::shared_ptr<State> state_;
};

Task<Result<std::unique_ptr<ByteStream>>> connect_socket(Loop& loop, const sockaddr* address, socklen_t length, std::string name,
                                                         const SocketPeers* peers = nullptr) {
  Fd fd(::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) co_return std::unexpected(system_error(name, errno));
  int error = ::connect(fd.get(), address, length) == 0 ? 0 : errno;
  if (error == EINPROGRESS) {
    co_await Connected(loop, fd.get());
    socklen_t size = sizeof error;
    ::getsockopt(fd.get(), SOL_SOCKET, SO_ERROR, &error, &size);
  }
  if (error != 0) co_return std::unexpected(system_error(name, error));
  if (peers != nullptr) PARLANCE_CO_TRY_DO(check_peer(fd.get(), *peers, name));
  if (address->sa_family != AF_UNIX) set_tcp_options(fd.get());
  const int number = fd.release();
  co_return fd_stream(loop, number, std::move(name), ReadWait::looking);
}

}  // namespace

Task<Result<std::unique_ptr<ByteStream>>> connect_unix(Loop& loop, std::string path, SocketPeers peers) {
  PARLANCE_CO_TRY(address, unix_address(path));
  co_return co_await connect_socket(loop, reinterpret_cast<const sockaddr*>(&address), sizeof address, "unix:" + path, &peers);
}

Task<Result<std::unique_ptr<ByteStream>>> connect_tcp(Loop& loop, HostPort target) {
  AddressList list;
  PARLANCE_CO_TRY_DO(resolve(target, false, list));
  const std::string name = "tcp:" + target.host + ":" + std::to_string(target.port);
  Result<std::unique_ptr<ByteStream>> last = fail(Errc::not_found, name + ": no address");
  for (const addrinfo* at = list.first; at != nullptr && !last; at = at->ai_next)
    last = co_await connect_socket(loop, at->ai_addr, at->ai_addrlen, name);
  co_return last;
}

std::optional<std::string> socket_path(std::string_view address) {
  if (address.starts_with("unix:")) return std::string(address.substr(5));
  if (address.empty() || address.starts_with("tcp:") || parse_host_port(address)) return std::nullopt;
  if (address.contains('/') || !address.contains(':')) return std::string(address);
  return std::nullopt;
}

Task<Result<std::unique_ptr<ByteStream>>> connect_to(Loop& loop, std::string address, SocketPeers peers) {
  if (const auto path = socket_path(address)) co_return co_await connect_unix(loop, *path, std::move(peers));
  const auto target =
      parse_host_port(address.starts_with("tcp:") ? std::string_view(address).substr(4) : std::string_view(address));
  if (!target) co_return fail(Errc::invalid_params, "\"" + address + "\" is no address: give a path, unix:/path or host:port");
  co_return co_await connect_tcp(loop, *target);
}

}  // namespace parlance
