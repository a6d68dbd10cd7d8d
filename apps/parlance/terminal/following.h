// SPDX-License-Identifier: Apache-2.0
// One turn as a terminal follows it. Loop thread only.
#pragma once

#include <functional>

#include "apps/parlance/terminal/terminal_output.h"
#include "parlance/async/task.h"
#include "parlance/hub/follower.h"

namespace parlance::app {

// Whoever answers what a turn asks.
class AskAnswerer {
 public:
  virtual ~AskAnswerer() = default;
  // Asked and answered; not answered where the person was interrupted. Errors: what the hub says of an answer, except that somebody else
  // was first.
  virtual Task<Result<void>> settle(hub::Ask ask) = 0;
};

// To the end of the turn. `heard`: each event, before what it asks is asked. Errors: of the follower, and of answers.
Task<Result<hub::StopReason>> follow_turn(hub::Follower& follower, TerminalOutput& output, AskAnswerer& asks,
                                          std::function<void(const hub::EventBody&)> heard = {});

}  // namespace parlance::app
