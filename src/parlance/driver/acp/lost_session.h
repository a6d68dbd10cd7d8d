// SPDX-License-Identifier: Apache-2.0
// A session that the agent has lost, and the request to begin a new session. Loop thread only.
#pragma once

#include <string>

#include "parlance/hub/agent/agent.h"

namespace parlance::driver {

// True if an error reply to session/prompt means a lost session. Agents use different codes, so the text counts too.
bool is_lost_session(const Error& error);

// Asks the person in `turn`, and reports a new session there. Errors: not_found with `why` after a refusal, or without a turn (null).
Task<Result<void>> ask_for_new_session(std::string agent_name, Error why, hub::Turn* turn);

}  // namespace parlance::driver
