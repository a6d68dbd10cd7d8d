// SPDX-License-Identifier: Apache-2.0
// Operating-system signals as something to await. Loop thread only; one instance a process.
#pragma once

#include <initializer_list>
#include <memory>

#include "parlance/async/channel.h"

namespace parlance {

class SignalWatch {
 public:
  SignalWatch(Loop& loop, std::initializer_list<int> signals);
  ~SignalWatch();
  Task<int> next();  // The number of the next signal of the set.

 private:
  struct Implementation;
  std::shared_ptr<Implementation> implementation_;
};

// SIGPIPE must never end us: a peer that went away is an error of the write. Nor SIGXFSZ: a file that may not grow (ulimit -f) is one,
// too. Call first in every main().
void ignore_sigpipe();

}  // namespace parlance
