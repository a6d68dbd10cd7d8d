// SPDX-License-Identifier: Apache-2.0
// Runs a command of an agent's tool through the shell, in the conversation's folder, as a child that dies with its task.
// Loop thread only.
#pragma once

#include <memory>

#include "parlance/async/loop.h"
#include "parlance/process/child_process.h"
#include "parlance/workspace/command_tool.h"

namespace parlance::toolbox {

// A command inherits our environment without secrets (process/child_secrets.h) and without PARLANCE_* variables.
std::unique_ptr<workspace::CommandRunner> command_runner(Loop& loop);

// The child process of a request, for callers with a runner of their own.
ChildSettings command_child(const workspace::CommandRequest& request);

}  // namespace parlance::toolbox
