// SPDX-License-Identifier: Apache-2.0
// Waits for signals of the operating system, such as SIGTERM. Loop thread only; at most one instance in a process, because signal
// handlers are global. Destroy the instance before the loop.
#pragma once

#include <initializer_list>
#include <memory>

#include "parlance/async/channel.h"

namespace parlance {

class SignalWatch {
 public:
  SignalWatch(Loop& loop, std::initializer_list<int> signals);
  ~SignalWatch();
  Task<int> next();  // Waits for the next signal of the set and returns its number. At most 64 signals wait.

 private:
  struct Implementation;
  std::shared_ptr<Implementation> implementation_;
};

// Ignores SIGPIPE and SIGXFSZ: a closed pipe and a file above `ulimit -f` become errors of the write instead of ending the program.
// Call first in every main().
void ignore_sigpipe();

}  // namespace parlance
