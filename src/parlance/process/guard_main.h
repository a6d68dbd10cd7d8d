// SPDX-License-Identifier: Apache-2.0
// The program of the guard (child_guard.h). It runs in a fork of a process with threads, and therefore makes system calls only.
#pragma once

#include <sys/types.h>

namespace parlance {

struct GuardArguments {
  // SOCK_SEQPACKET. A message is a pid_t (a group to guard, or its negative to forget), guard_farewell at our end, or a
  // GuardLimit.
  int socket;
  pid_t parent;      // The process to outlive.
  const char* mark;  // "NAME=beginning": finds processes that left their groups (strays.h). Copied.
};
inline constexpr pid_t guard_farewell = 0;

// After this time (CLOCK_BOOTTIME), no child may live, even while this process is stopped. A later message replaces the limit
// before it has passed.
struct GuardLimit {
  long long nanoseconds;
};
static_assert(sizeof(GuardLimit) != sizeof(pid_t));  // The size identifies the kind of a message.

// A function for `clone`. Sends guard_farewell back when ready: from then on, signals to our process group do not reach it.
// After the parent's death or farewell, it kills every registered group, then every process with the mark in its environment,
// then exits. Never returns.
int guard_main(void* arguments);

}  // namespace parlance
