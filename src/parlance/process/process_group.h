// SPDX-License-Identifier: Apache-2.0
// Whether anybody of a process group still runs. Any thread; reads /proc, a few milliseconds.
#pragma once

#include <sys/types.h>

namespace parlance {

// Not counted: zombies, which kill(-group, 0) takes for members. True where /proc cannot be read.
bool group_runs(pid_t group);

}  // namespace parlance
