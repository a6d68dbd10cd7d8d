// SPDX-License-Identifier: Apache-2.0
// Ends a turn according to a result of Claude Code. Loop thread only.
#pragma once

#include "parlance/hub/agent/agent.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::driver {

// Emits the failure, if any.
hub::StopReason end_turn(hub::Turn& turn, const claude::TurnResult& result, bool cancelled);

}  // namespace parlance::driver
