// SPDX-License-Identifier: Apache-2.0
#include "parlance/process/child_guard.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <optional>
#include <poll.h>
#include <sched.h>
#include <set>
#include <signal.h>
#include <string>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parlance/process/guard_main.h"
#include "parlance/process/limits.h"
#include "parlance/process/strays.h"

namespace parlance {
namespace {

class Guard {
 public:
  std::expected<Spawned, SpawnFailure> spawn_child(const SpawnPlan& plan) {
    const std::lock_guard lock(mutex_);
    for (int attempt = 0;; ++attempt) {
      if (const int error = ensure_running(); error != 0)
        return std::unexpected(SpawnFailure{SpawnFailure::Step::guard, error, 0, {-1, -1}});
      auto spawned = spawn(plan, socket_);
      if (spawned) {
        groups_.insert(spawned->pid);
        return spawned;
      }
      const SpawnFailure& failure = spawned.error();
      // The guard did not answer: dead or hanging. A new guard receives the list of all children.
      const bool guard_lost = failure.step == SpawnFailure::Step::guard;
      if (guard_lost) end_guard();
      if (failure.remains.pid > 0) {
        if (!guard_lost) note(-failure.remains.pid);
        siginfo_t ignored{};
        while (::waitid(P_PIDFD, static_cast<id_t>(failure.remains.pidfd), &ignored, WEXITED) != 0 && errno == EINTR) {}
        ::close(failure.remains.pidfd);
      }
      if (!guard_lost || attempt == 1) return spawned;
    }
  }

  void forget(pid_t group) {
    const std::lock_guard lock(mutex_);
    if (owner_ != ::getpid()) return;
    groups_.erase(group);
    note(-group);
  }

  void limit(GuardLimit until) {
    const std::lock_guard lock(mutex_);
    limit_ = until;
    if (owner_ == ::getpid() && socket_ >= 0 && !send_message(until)) end_guard(), start();
  }

  // Never releases the lock: no further child starts.
  void end_children() {
    mutex_.lock();
    if (owner_ != ::getpid() || socket_ < 0) return;
    if (send_message(guard_farewell)) wait_for_end();
    else end_guard();
  }

  pid_t pid() {
    const std::lock_guard lock(mutex_);
    return owner_ == ::getpid() ? pid_ : -1;
  }

  // At a normal exit: ends the remaining children (whose owner was never destroyed), and reaps the guard.
  void farewell() {
    const std::lock_guard lock(mutex_);
    if (owner_ != ::getpid() || socket_ < 0) return;
    if (send_message(guard_farewell)) wait_for_end();
    else end_guard();
  }

 private:
  // 0 or errno.
  int ensure_running() {
    if (owner_ == ::getpid() && socket_ >= 0) return 0;
    if (owner_ != ::getpid() &&
        socket_ >= 0) {  // This process is a fork of the owner: neither the guard nor the children belong to it.
      ::close(socket_);
      ::close(pidfd_);
      groups_.clear();
      limit_.reset();
    }
    owner_ = ::getpid();
    return start();
  }

  int start() {
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) return errno;
    for (int& end : pair) {
      if (end > STDERR_FILENO) continue;  // In a program without stdin, a child's dup2 would overwrite this descriptor.
      const int above = ::fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
      ::close(end);
      end = above;
    }
    // A stopped guard must not block this process.
    const timeval patience{.tv_sec = limits::guard_patience.count(), .tv_usec = 0};
    ::setsockopt(pair[0], SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    ::setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);

    const std::string mark = std::string(child_mark_variable) + "=" + own_child_mark();
    GuardArguments arguments{.socket = pair[1], .parent = ::getpid(), .mark = mark.c_str()};
    const BareStack stack;
    int error = ENOMEM;
    if (stack.top() != nullptr) {
      const SignalsBlocked blocked;
      // Without an exit signal, a wait for any child (a host program's SIGCHLD handler) does not see the guard. The memory is
      // copied, not shared: the out-of-memory killer ends all processes with shared memory.
      pid_ = clone_bare(guard_main, stack.top(), CLONE_PIDFD, &arguments, &pidfd_);
      error = errno;
    }
    ::close(pair[1]);
    if (stack.top() == nullptr || pid_ < 0) {
      ::close(pair[0]);
      pid_ = -1;
      return error;
    }
    socket_ = pair[0];
    // Until the guard has left our process group, a kill of the group would end both processes: no child may exist before.
    pid_t ready = -1;
    ssize_t got = 0;
    do got = ::recv(socket_, &ready, sizeof ready, 0);
    while (got < 0 && errno == EINTR);
    if (got != sizeof ready) {
      end_guard();
      return EIO;
    }
    for (const pid_t group : groups_) send_message(group);
    if (limit_) send_message(*limit_);
    return 0;
  }

  template <class Message>
  bool send_message(Message message) {
    ssize_t sent = 0;
    do sent = ::send(socket_, &message, sizeof message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == sizeof message;
  }

  void note(pid_t message) {
    if (socket_ < 0 || send_message(message)) return;
    end_guard();
    if (!groups_.empty()) start();
  }

  void end_guard() {
    ::kill(pid_, SIGKILL);
    wait_for_end();
  }

  void wait_for_end() {
    pollfd ended{.fd = pidfd_, .events = POLLIN, .revents = 0};
    const auto patience = std::chrono::duration_cast<std::chrono::milliseconds>(limits::guard_patience);
    int ready = 0;
    do ready = ::poll(&ended, 1, static_cast<int>(patience.count()));
    while (ready < 0 && errno == EINTR);
    if (ready == 1) {
      siginfo_t ignored{};
      ::waitid(P_PIDFD, static_cast<id_t>(pidfd_), &ignored, WEXITED | __WALL);
    }
    ::close(pidfd_);
    ::close(socket_);
    socket_ = pidfd_ = -1;
    pid_ = -1;
  }

  std::mutex mutex_;
  pid_t owner_ = -1;  // The owner of this state; after a fork, another process.
  pid_t pid_ = -1;
  int pidfd_ = -1;
  int socket_ = -1;
  std::set<pid_t> groups_;
  std::optional<GuardLimit> limit_;
};

// Never destroyed, so that children of other static objects can end later.
Guard& guard() {
  static Guard* const instance = [] {
    auto* const made = new Guard;
    std::atexit([] { guard().farewell(); });
    return made;
  }();
  return *instance;
}

}  // namespace

std::expected<Spawned, SpawnFailure> guarded_spawn(const SpawnPlan& plan) { return guard().spawn_child(plan); }
void guard_forget(pid_t group) { guard().forget(group); }
void guard_limit(std::chrono::nanoseconds since_boot) { guard().limit({.nanoseconds = since_boot.count()}); }
void end_guarded_children() { guard().end_children(); }
pid_t guard_pid() { return guard().pid(); }

}  // namespace parlance
