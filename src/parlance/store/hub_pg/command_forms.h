// SPDX-License-Identifier: Apache-2.0
// Commands and what came of them as text, for the hub that does them. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/command.h"

namespace parlance::store {

// Without id and conversation, which have columns of their own.
std::string command_text(const hub::Command& command);
Result<hub::Command> command_from_text(std::string_view text);

// Writes down what came of a command, unless that was done: its id, and `outcome_text`.
inline constexpr const char* end_command = "UPDATE commands SET outcome = $2, body = '' WHERE id = $1 AND outcome IS NULL";
std::string outcome_text(const hub::CommandOutcome& outcome);
Result<hub::CommandOutcome> outcome_from_text(std::string_view text);

}  // namespace parlance::store
