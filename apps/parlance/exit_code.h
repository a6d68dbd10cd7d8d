// SPDX-License-Identifier: Apache-2.0
// How a command ends, for scripts, and the one line that a person reads then. Main thread.
#pragma once

#include "parlance/base/result.h"

namespace parlance::app {

enum ExitCode : int {
  done = 0,
  failed = 1,
  usage = 2,
  refused = 3,      // by a person or a rule
  not_started = 4,  // the agent, or whatever was to be reached
  timed_out = 5,
  lease_lost = 75,  // another gateway may have what this one had: it is to be started again
};

// "parlance: …" on stderr, and the exit code.
int complain(const Error& error, int code = ExitCode::failed);

// `usage` where the error is about what was typed, else `otherwise`.
int complain_of_use(const Error& error, int otherwise);

}  // namespace parlance::app
