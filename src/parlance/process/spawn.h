// SPDX-License-Identifier: Apache-2.0
// The start of a program: the steps between clone and exec, where only system calls are allowed. Any thread; several at once.
#pragma once

#include <array>
#include <expected>
#include <string>
#include <sys/types.h>
#include <vector>

namespace parlance {

struct SpawnPlan {
  std::vector<std::string> programs;     // Candidate paths, tried in order until a program runs.
  std::vector<std::string> arguments;    // The first argument is the program's own name.
  std::vector<std::string> environment;  // "NAME=value"
  std::string folder;                    // For error messages.
  int folder_fd = -1;                    // Open working folder; -1: the folder of this process. The caller keeps ownership.
  // Become 0, 1 and 2 of the child. All are above 2 and close-on-exec. The caller keeps ownership.
  std::array<int, 3> stdio;
};

struct Spawned {
  pid_t pid;
  int pidfd;  // The caller keeps ownership.
};

struct SpawnFailure {
  enum class Step { clone, guard, stdio, folder, program } step;
  int error;            // errno
  std::size_t program;  // Index of the failed program (Step::program).
  Spawned remains;      // A child that ended before its exec. The caller reaps it. {-1, -1}: none.
};

// The child has a session and process group of its own, ignores only inherited ignored signals, blocks none, and has its three
// descriptors only. Before exec, it sends its pid through `guard_socket` (child_guard.h).
std::expected<Spawned, SpawnFailure> spawn(const SpawnPlan& plan, int guard_socket);

// Marks a function for a process or stack without sanitizers and stack protector. It may call only `syscall` and other bare
// functions, and the compiler may not turn its loops into memcpy.
#if defined(__clang__)
#define PARLANCE_BARE __attribute__((disable_sanitizer_instrumentation, no_stack_protector, noinline, no_builtin))
#else
#define PARLANCE_BARE                                                                         \
  __attribute__((no_sanitize("address", "thread", "undefined"), no_stack_protector, noinline, \
                 optimize("no-tree-loop-distribute-patterns")))
#endif

// clone(2) of such a function.
pid_t clone_bare(int (*function)(void*), void* stack_top, int flags, void* argument, int* pidfd);

// Stack memory for such a process. The page below it faults.
class BareStack {
 public:
  BareStack();
  ~BareStack();
  BareStack(const BareStack&) = delete;
  BareStack& operator=(const BareStack&) = delete;
  void* top() const;  // Null: out of memory.

 private:
  void* memory_;
};

// Blocks every signal for this thread during its lifetime: a new process runs none of our handlers.
class SignalsBlocked {
 public:
  SignalsBlocked();
  ~SignalsBlocked();
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  std::array<unsigned long, 16> before_;  // A sigset_t.
};

}  // namespace parlance
