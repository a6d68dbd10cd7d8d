// SPDX-License-Identifier: Apache-2.0
// Processes that left the group and session of the child that started them: found by a variable that the child had in its
// environment, which everything inherits that does not take pains against it. Any thread; reads /proc, a few milliseconds.
//
// Claude Code runs each command of its Bash tool in a session of its own, so neither the group's kill nor the guard reaches it.
#pragma once

#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace parlance {

// The variable, and a value for one child. All values that a process makes begin with `own_child_mark`, by which its guard finds what
// is left when the process itself was killed (child_guard.h).
inline constexpr const char* child_mark_variable = "PARLANCE_CHILD";
std::string make_child_mark();
std::string own_child_mark();

// Ours alone (same user, readable), never this process itself.
std::vector<pid_t> processes_with(std::string_view variable, std::string_view value);

// SIGKILL to all of them, until none is found any more. How many there were.
int kill_strays(std::string_view variable, std::string_view value);

}  // namespace parlance
