// SPDX-License-Identifier: Apache-2.0
// Checks for running members of a process group. Any thread; reads /proc, a few milliseconds.
#pragma once

#include <sys/types.h>

namespace parlance {

// Zombies do not count, unlike in kill(-group, 0). True if /proc cannot be read.
bool group_runs(pid_t group);

}  // namespace parlance
