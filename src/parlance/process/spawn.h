// SPDX-License-Identifier: Apache-2.0
// Starting a program: what happens between clone and exec, where only system calls are allowed.
// Any thread; several at once.
#pragma once

#include <array>
#include <expected>
#include <string>
#include <sys/types.h>
#include <vector>

namespace parlance {

struct SpawnPlan {
  std::vector<std::string> programs;     // Paths, tried in order until one runs.
  std::vector<std::string> arguments;    // The first is the program's name for itself.
  std::vector<std::string> environment;  // "NAME=value"
  std::string folder;                    // For messages.
  int folder_fd = -1;                    // The working folder, open; -1: ours. Stays the caller's.
  std::array<int, 3> stdio;              // Become 0, 1 and 2 of the child; all above 2 and close-on-exec. Stay the caller's.
};

struct Spawned {
  pid_t pid;
  int pidfd;  // The caller's.
};

struct SpawnFailure {
  enum class Step { clone, guard, stdio, folder, program } step;
  int error;            // errno
  std::size_t program;  // Index of the program that failed (Step::program).
  Spawned remains;      // The child that ended without becoming the program: to be reaped by the caller. {-1, -1}: none.
};

// The child gets a session and process group of its own, no signal ignored but those that were inherited, none blocked, and no
// descriptor but its three. Before it becomes the program it sends its pid through `guard_socket` (child_guard.h).
std::expected<Spawned, SpawnFailure> spawn(const SpawnPlan& plan, int guard_socket);

// A function that runs in a process or on a stack that sanitizers and the stack protector know nothing of. It calls nothing but
// `syscall` and other bare functions, and no loop of it becomes a memcpy behind its back.
#if defined(__clang__)
#define PARLANCE_BARE __attribute__((disable_sanitizer_instrumentation, no_stack_protector, noinline, no_builtin))
#else
#define PARLANCE_BARE                                                                         \
  __attribute__((no_sanitize("address", "thread", "undefined"), no_stack_protector, noinline, \
                 optimize("no-tree-loop-distribute-patterns")))
#endif

// clone(2) of such a function.
pid_t clone_bare(int (*function)(void*), void* stack_top, int flags, void* argument, int* pidfd);

// Memory for the stack of such a process. A page below it faults.
class BareStack {
 public:
  BareStack();
  ~BareStack();
  BareStack(const BareStack&) = delete;
  BareStack& operator=(const BareStack&) = delete;
  void* top() const;  // null: no memory

 private:
  void* memory_;
};

// Blocks every signal for this thread while it lives: a process made meanwhile runs none of our handlers.
class SignalsBlocked {
 public:
  SignalsBlocked();
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  std::array<unsigned long, 16> before_;  // a sigset_t
};

}  // namespace parlance
