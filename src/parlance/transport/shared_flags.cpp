// SPDX-License-Identifier: Apache-2.0
#include "parlance/transport/shared_flags.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include <utility>

#include "parlance/base/check.h"

namespace parlance {
namespace {

// Data for a signal handler: our own, always valid duplicates of descriptors with a flag to clear; -1: free.
constexpr std::size_t slots = 8;  // stdin and stdout of the process; tests use more
std::array<std::atomic<int>, slots> to_restore{-1, -1, -1, -1, -1, -1, -1, -1};

void restore(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags >= 0) ::fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
}

void restore_all() {
  for (auto& slot : to_restore)
    if (const int fd = slot.load(); fd >= 0) restore(fd);
}

extern "C" void restore_and_die(int number) {
  const int saved = errno;
  restore_all();
  errno = saved;
  ::raise(number);  // SA_RESETHAND: the default action, once we return
}

// Signals with a silent default end. An existing handler stays: programs with a handler end by exit.
void restore_at_end() {
  std::atexit(restore_all);
  struct sigaction ours{};
  ours.sa_handler = restore_and_die;
  ours.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGALRM, SIGUSR1, SIGUSR2,
                           SIGXCPU, SIGXFSZ}) {
    struct sigaction now{};
    if (::sigaction(number, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL)
      ::sigaction(number, &ours, nullptr);
  }
}

}  // namespace

Result<SharedNonBlocking> SharedNonBlocking::set(int fd, int untouchable) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0) return fail(system_error("fcntl", errno));
  if ((flags & O_NONBLOCK) != 0) return SharedNonBlocking();
  static const bool once = (restore_at_end(), true);
  static_cast<void>(once);

  // Recorded before the change: a signal in between finds the entry.
  const int own = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (own < 0) return fail(system_error("dup", errno));
  int slot = 0;
  for (int free = -1; slot < static_cast<int>(slots) && !to_restore[slot].compare_exchange_strong(free, own); ++slot) free = -1;
  PARLANCE_CHECK(slot < static_cast<int>(slots), "no more than a few streams over shared files");
  SharedNonBlocking held(slot);

  // The surest test for two descriptors of the same open file changes the flags of the first and reads the flags of the second.
  const int others = ::fcntl(untouchable, F_GETFL);
  if (::fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0) return fail(system_error("fcntl", errno));
  if (others >= 0 && ((others ^ ::fcntl(untouchable, F_GETFL)) & O_NONBLOCK) != 0)
    return fail(Errc::invalid_request, "stderr is the same open file as stdin or stdout: redirect it");
  return held;
}

SharedNonBlocking::SharedNonBlocking(SharedNonBlocking&& other) noexcept : slot_(std::exchange(other.slot_, -1)) {}
SharedNonBlocking& SharedNonBlocking::operator=(SharedNonBlocking&& other) noexcept {
  std::swap(slot_, other.slot_);
  return *this;
}
SharedNonBlocking::~SharedNonBlocking() {
  if (slot_ < 0) return;
  const int fd = to_restore[slot_].load();
  restore(fd);
  to_restore[slot_].store(-1);
  ::close(fd);
}

}  // namespace parlance
