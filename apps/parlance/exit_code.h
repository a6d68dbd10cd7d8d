// SPDX-License-Identifier: Apache-2.0
// The exit codes for scripts, and the final error line for people. Main thread.
#pragma once

#include "parlance/base/result.h"

namespace parlance::app {

enum ExitCode : int {
  done = 0,
  failed = 1,
  usage = 2,
  refused = 3,      // by a person or a rule
  not_started = 4,  // the agent or the service did not start, or is unreachable
  timed_out = 5,
  lease_lost = 75,  // another gateway may own its conversations: restart the process
};

// "parlance: …" on stderr, and the exit code.
int complain(const Error& error, int code = ExitCode::failed);

// `usage` for an error of the command line, else `otherwise`.
int complain_of_use(const Error& error, int otherwise);

}  // namespace parlance::app
