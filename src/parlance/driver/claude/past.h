// SPDX-License-Identifier: Apache-2.0
// What was said in a conversation before Claude Code comes to it, as it can be told: its protocol takes messages of the person alone,
// so the rest goes with the first of them, in words. Loop thread only.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/agent.h"

namespace parlance::driver {

// The messages as a text, oldest first; what they say cannot end it early.
std::string transcript_of(std::span<const hub::ChatMessage> messages);

// Puts what was said before the prompt in front of it, and what came with that before what comes with it. Errors: the store failed.
Task<Result<void>> add_past(hub::Turn& turn, hub::Prompt& prompt);

}  // namespace parlance::driver
