// SPDX-License-Identifier: Apache-2.0
// What a short-lived program prints. Loop thread only.
#pragma once

#include <chrono>
#include <string>

#include "parlance/async/loop.h"
#include "parlance/process/child_settings.h"

namespace parlance::driver {

// Its stdout, up to its end. Destroying the task kills it with all that it started. Errors: those of ChildProcess::start;
// deadline_exceeded after `patience`, overloaded above `most` bytes, failed (it ended with another code than 0; the text has its words).
Task<Result<std::string>> output_of(Loop& loop, ChildSettings settings, std::chrono::milliseconds patience, std::size_t most);

}  // namespace parlance::driver
