// SPDX-License-Identifier: Apache-2.0
// A turn followed by a terminal. Loop thread only.
#pragma once

#include <functional>

#include "apps/parlance/terminal/terminal_output.h"
#include "parlance/async/task.h"
#include "parlance/hub/follower.h"

namespace parlance::app {

// Answers the requests of a turn.
class AskAnswerer {
 public:
  virtual ~AskAnswerer() = default;
  // Asks the person and answers; sends no answer after an interrupt. Errors: the hub's refusals of the answer, except "already
  // answered".
  virtual Task<Result<void>> settle(hub::Ask ask) = 0;
};

// Follows to the end of the turn; later events stay with the follower. `on_event` receives each event before the person answers
// its request. Errors: of the follower, and of answers.
Task<Result<hub::StopReason>> follow_turn(hub::Follower& follower, TerminalOutput& output, AskAnswerer& asks,
                                          std::function<void(const hub::EventBody&)> on_event = {});

}  // namespace parlance::app
