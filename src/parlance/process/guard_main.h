// SPDX-License-Identifier: Apache-2.0
// The program of the guard (child_guard.h): runs in a fork of a process with threads, so it makes system calls only.
#pragma once

#include <sys/types.h>

namespace parlance {

struct GuardArguments {
  int socket;  // SOCK_SEQPACKET; one pid_t a message: a group to guard, its negative to forget, guard_farewell at our end; or a GuardLimit
  pid_t parent;      // whom to outlive
  const char* mark;  // "NAME=beginning": what left the groups of its own accord is found by it (strays.h). Copied
};
inline constexpr pid_t guard_farewell = 0;

// From then on no child may live, whatever we are doing, and even when we do nothing: CLOCK_BOOTTIME. A later one replaces it, until it has passed.
struct GuardLimit {
  long long nanoseconds;
};
static_assert(sizeof(GuardLimit) != sizeof(pid_t));  // a message is known by its size

// Fits `clone`. Sends guard_farewell back once it is ready: from then on nothing that is meant for our process group reaches it.
// Kills every group it was told of once the parent is gone or says farewell, and then whatever has the mark in its environment; then
// it ends. Never returns.
int guard_main(void* arguments);

}  // namespace parlance
