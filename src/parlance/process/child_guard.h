// SPDX-License-Identifier: Apache-2.0
// What kills our children when we cannot: a small process that outlives us by a moment.
//
// A child of ours must not survive us, however we end: SIGKILL and the out-of-memory killer leave no time for anything. The kernel's
// own means (PR_SET_PDEATHSIG) reaches the direct child only, and only when the thread that started it is the one that ends. So with
// the first child a guard is forked, once a process. It knows the process groups of all running children and sends SIGKILL to each
// when we are gone; then it ends.
//
// How nothing falls between: a starting child tells the guard its own pid, on a socket whose other holders are we and every child
// that has not yet become its program. The guard sees us die through a pidfd, and end-of-file on the socket only when the last
// child on its way has either spoken or died too.
//
// The guard has its own session (Ctrl-C does not reach it), another name and command line than we ("child-guard": pkill spares it),
// none of our descriptors and none of our memory. Should it die, the next start of a child notices and makes another.
// What leaves the session (a daemon, a tool of Claude Code) is in no group that it knows. It finds those that carry a mark of ours in
// their environment (strays.h); for others a cgroup would be the means.
//
// A process that may work only until a certain time (a hub whose lease is over, store/hub_pg/lease.h) tells the guard. It kills at that
// time even while we are stopped, and counts the time that the machine sleeps.
//
// One a process because a parent is a process. Any thread.
#pragma once

#include <chrono>
#include <sys/types.h>

#include "parlance/process/spawn.h"

namespace parlance {

// `spawn`, with the guard knowing of it.
std::expected<Spawned, SpawnFailure> guarded_spawn(const SpawnPlan& plan);

// To be called when the leader of the group has ended and its group was killed, before it is reaped: later its number may be
// somebody else's.
void guard_forget(pid_t group);

// From this time on (CLOCK_BOOTTIME) no child of ours may live, nor any that starts later. Again, before it has passed: moves it.
void guard_limit(std::chrono::nanoseconds since_boot);

// Kills all children, and returns when they have been: for a process that has to end at once. None can be started after it.
void end_guarded_children();

// For tests and diagnosis: the guard's process, or -1.
pid_t guard_pid();

}  // namespace parlance
