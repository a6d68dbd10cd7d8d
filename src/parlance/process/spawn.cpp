// SPDX-License-Identifier: Apache-2.0
// posix_spawn lacks one step before exec: sending the pid to the guard. Only if the child itself does this, the child never
// exists without a process that would kill it (child_guard.h).
//
// The child is made like vfork: the child runs in our memory, on a separate stack, while this thread waits for the exec. The cost
// is independent of our size, and failures return through memory. The price: from clone to exec, the child may only make system
// calls, because another thread may hold any lock.
#include "parlance/process/spawn.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// clone() under a name that ThreadSanitizer does not replace: its version takes the child for a copy of the process and stops
// because of the shared memory.
extern "C" int __clone(int (*run)(void*), void* stack, int flags, void* argument, ...);

namespace parlance {
namespace {

constexpr std::size_t stack_bytes = 64 << 10;
constexpr std::size_t guard_page_bytes = 4 << 10;
constexpr int signals = 64;
constexpr unsigned long kernel_mask_bytes = signals / 8;

// The child's data as plain pointers, and the place for its error.
struct Launch {
  const char* const* programs;
  std::size_t program_count;
  const char** arguments;        // null-terminated
  const char** shell_arguments;  // "/bin/sh", a place for the path, the arguments from the second
  const char* const* environment;
  int folder_fd;
  int stdio[3];
  int guard_socket;
  pid_t parent;
  bool dies_with_thread;

  SpawnFailure::Step step = SpawnFailure::Step::clone;
  int error = 0;
  std::size_t program = 0;
};

// Our handlers must not run in the child, and exec would reset handlers later. Ignored signals stay ignored (nohup), except
// SIGPIPE, which parlance ignores for itself. The kernel's own structure: zeros are the default action in every layout.
PARLANCE_BARE void reset_signals() {
  for (int number = 1; number <= signals; ++number) {
    unsigned long action[16] = {};
    if (::syscall(SYS_rt_sigaction, number, nullptr, action, kernel_mask_bytes) != 0) continue;
    const bool ignored = action[0] == 1;
    if (action[0] == 0 || (ignored && number != SIGPIPE)) continue;
    unsigned long standard[16] = {};
    ::syscall(SYS_rt_sigaction, number, standard, nullptr, kernel_mask_bytes);
  }
}

PARLANCE_BARE void run_program(Launch& launch) {
  launch.step = SpawnFailure::Step::program;
  int failure = ENOENT;
  for (std::size_t i = 0; i < launch.program_count; ++i) {
    ::syscall(SYS_execve, launch.programs[i], launch.arguments, launch.environment);
    int error = errno;
    if (error == ENOEXEC) {  // a script without its first line: POSIX requires a shell
      launch.shell_arguments[1] = launch.programs[i];
      ::syscall(SYS_execve, launch.shell_arguments[0], launch.shell_arguments, launch.environment);
      error = ENOEXEC;
    }
    const bool elsewhere = error == ENOENT || error == ENOTDIR || error == EACCES;
    if (failure == EACCES && elsewhere) continue;  // "permission denied" is more informative than "not found"
    failure = error;
    launch.program = i;
    if (!elsewhere) break;
  }
  launch.error = failure;  // set last: a successful exec cannot clear the error
}

PARLANCE_BARE void become_program(Launch& launch) {
  reset_signals();
  ::syscall(SYS_setsid);
  if (launch.dies_with_thread) {
    ::syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    if (::syscall(SYS_getppid) != launch.parent) return;  // too late: the parent has ended already
  }

  launch.step = SpawnFailure::Step::guard;
  const int own = static_cast<int>(::syscall(SYS_getpid));
  if (::syscall(SYS_sendto, launch.guard_socket, &own, sizeof own, MSG_NOSIGNAL, nullptr, 0) != sizeof own) {
    launch.error = errno;
    return;
  }

  launch.step = SpawnFailure::Step::stdio;
  for (int i = 0; i < 3; ++i) {
    if (::syscall(SYS_dup3, launch.stdio[i], i, 0) < 0) {
      launch.error = errno;
      return;
    }
  }
  // Our descriptors are all close-on-exec; a host program's open descriptors are not for the child either. (The guard's socket
  // stays open until exec: so the guard knows about a starting child.)
  ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);

  launch.step = SpawnFailure::Step::folder;
  if (launch.folder_fd >= 0 && ::syscall(SYS_fchdir, launch.folder_fd) != 0) {
    launch.error = errno;
    return;
  }

  const unsigned long none[2] = {};
  ::syscall(SYS_rt_sigprocmask, SIG_SETMASK, none, nullptr, kernel_mask_bytes);
  run_program(launch);
}

PARLANCE_BARE int child_main(void* launch) {
  become_program(*static_cast<Launch*>(launch));
  for (;;) ::syscall(SYS_exit_group, 127);
}

std::vector<const char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  pointers.push_back(nullptr);
  return pointers;
}

std::unexpected<SpawnFailure> failed_before(int error) {
  return std::unexpected(SpawnFailure{SpawnFailure::Step::clone, error, 0, {-1, -1}});
}

}  // namespace

std::expected<Spawned, SpawnFailure> spawn(const SpawnPlan& plan, int guard_socket) {
  const auto programs = pointers_to(plan.programs);
  auto arguments = pointers_to(plan.arguments);
  const auto environment = pointers_to(plan.environment);
  std::vector<const char*> shell_arguments{"/bin/sh", nullptr};
  shell_arguments.insert(shell_arguments.end(), arguments.begin() + (plan.arguments.empty() ? 0 : 1), arguments.end());

  Launch launch{
      .programs = programs.data(),
      .program_count = plan.programs.size(),
      .arguments = arguments.data(),
      .shell_arguments = shell_arguments.data(),
      .environment = environment.data(),
      .folder_fd = plan.folder_fd,
      .stdio = {plan.stdio[0], plan.stdio[1], plan.stdio[2]},
      .guard_socket = guard_socket,
      .parent = ::getpid(),
      // The kernel counts the parent as dead when the *thread* that made the child ends. Only the main thread is known to live as
      // long as the process; children of other threads rely on the guard.
      .dies_with_thread = ::getpid() == ::gettid(),
  };

  const BareStack stack;
  if (stack.top() == nullptr) return failed_before(ENOMEM);
  int pidfd = -1;
  pid_t pid = -1;
  int clone_error = 0;
  {
    const SignalsBlocked blocked;
    pid = clone_bare(child_main, stack.top(), CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, &launch, &pidfd);
    clone_error = errno;
  }
  if (pid < 0) return failed_before(clone_error);
  if (launch.error == 0) return Spawned{pid, pidfd};
  return std::unexpected(SpawnFailure{launch.step, launch.error, launch.program, {pid, pidfd}});
}

pid_t clone_bare(int (*function)(void*), void* stack_top, int flags, void* argument, int* pidfd) {
  return ::__clone(function, stack_top, flags, argument, pidfd);
}

BareStack::BareStack()
    : memory_(::mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0)) {
  if (memory_ == MAP_FAILED) memory_ = nullptr;
  else ::mprotect(memory_, guard_page_bytes, PROT_NONE);
}
BareStack::~BareStack() {
  if (memory_ != nullptr) ::munmap(memory_, stack_bytes);
}
void* BareStack::top() const { return memory_ == nullptr ? nullptr : static_cast<char*>(memory_) + stack_bytes; }

SignalsBlocked::SignalsBlocked() {
  static_assert(sizeof(sigset_t) <= sizeof before_);
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  std::memcpy(before_.data(), &before, sizeof before);
}
SignalsBlocked::~SignalsBlocked() {
  sigset_t before;
  std::memcpy(&before, before_.data(), sizeof before);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace parlance
