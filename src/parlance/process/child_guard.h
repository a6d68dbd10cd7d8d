// SPDX-License-Identifier: Apache-2.0
// A small helper process that kills our children after our death.
//
// No child may survive this process. SIGKILL and the out-of-memory killer leave no time for clean-up. The kernel's own means
// (PR_SET_PDEATHSIG) reaches the direct child only, and only at the end of the thread that started the child. The first start of
// a child therefore forks a guard, one for each process. The guard knows the process groups of all running children. After our
// death it sends SIGKILL to each group, then exits.
//
// A starting child sends its own pid to the guard. Its socket is shared with us and with every child before its exec. The guard
// sees our death through a pidfd. It sees end-of-file on the socket only after each starting child has sent its pid or died. No
// child can therefore be missed.
//
// The guard has its own session (Ctrl-C does not reach it), its own name and command line ("child-guard", so that pkill spares
// it), no descriptors and no memory of ours. If the guard dies, the next start of a child creates a new guard. Processes that
// leave the session (a daemon, a tool of Claude Code) are in no known group. The guard finds processes with our mark in their
// environment (strays.h); others would need a cgroup.
//
// A process with a time limit (a hub with a lease, store/hub_pg/lease.h) reports the limit to the guard. The guard kills the
// children at this time, even while this process is stopped. The limit includes time in which the machine sleeps.
//
// One guard for each process. Any thread.
#pragma once

#include <chrono>
#include <sys/types.h>

#include "parlance/process/spawn.h"

namespace parlance {

// `spawn`, with a registration at the guard.
std::expected<Spawned, SpawnFailure> guarded_spawn(const SpawnPlan& plan);

// Call after the leader and its group are killed and before the leader is reaped: later, another process may have its number.
void guard_forget(pid_t group);

// After this time (CLOCK_BOOTTIME), no child may live or start. A second call before this time moves the limit.
void guard_limit(std::chrono::nanoseconds since_boot);

// Kills all children and returns after their death, for a process that must end at once. No child can start afterwards.
void end_guarded_children();

// For tests and diagnosis: the pid of the guard, or -1.
pid_t guard_pid();

}  // namespace parlance
