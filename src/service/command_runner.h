// Runs a command of an agent's tool through the shell, in the conversation's folder, as a child that dies with its task.
// Loop thread only.
#pragma once

#include <memory>

#include "async/loop.h"
#include "hub/command_tool.h"

namespace parlance::service {

// The environment is ours without keys and tokens (names that end in _API_KEY, _TOKEN, _SECRET, and our own PARLANCE_*).
std::unique_ptr<hub::CommandRunner> command_runner(Loop& loop);

}  // namespace parlance::service
