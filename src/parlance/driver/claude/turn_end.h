// SPDX-License-Identifier: Apache-2.0
// What a result of Claude Code means for the turn that it ends. Loop thread only.
#pragma once

#include "parlance/hub/agent.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::driver {

// Tells what went wrong.
hub::StopReason end_turn(hub::Turn& turn, const claude::TurnResult& result, bool cancelled);

}  // namespace parlance::driver
