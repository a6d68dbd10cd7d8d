// SPDX-License-Identifier: Apache-2.0
// Runs a short program and returns its output. Loop thread only.
#pragma once

#include <chrono>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/process/child_settings.h"

namespace parlance::driver {

// The program's stdout up to its end. Destroying the task kills the program with its children. Errors: those of
// ChildProcess::start; deadline_exceeded after `patience`, overloaded above `most` bytes, failed (exit code other than 0; with
// the output).
Task<Result<std::string>> output_of(Loop& loop, ChildSettings settings, std::chrono::milliseconds patience, std::size_t most);

}  // namespace parlance::driver
