// SPDX-License-Identifier: Apache-2.0
// Finds processes that left the group and session of their child, by a variable in their inherited environment. Any thread;
// reads /proc, which takes some milliseconds.
//
// Claude Code runs each command of its Bash tool in a session of its own, so neither the kill of the group nor the guard reaches
// the command.
#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace parlance {

// The variable, with a value for a single child. All values of a process begin with `own_child_mark`. The guard finds the
// remaining processes by this prefix (child_guard.h).
inline constexpr const char* child_mark_variable = "PARLANCE_CHILD";
std::string make_child_mark();
std::string own_child_mark();

// Only readable processes of this user, never this process itself.
std::vector<pid_t> processes_with(std::string_view variable, std::string_view value);

// Sends SIGKILL until no process with the mark is found. Returns the number of killed processes.
int kill_strays(std::string_view variable, std::string_view value);

}  // namespace parlance
