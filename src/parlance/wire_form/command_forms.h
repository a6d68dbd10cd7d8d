// SPDX-License-Identifier: Apache-2.0
// Commands and their outcomes as text, for the owning hub. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "parlance/base/result.h"
#include "parlance/hub/conversation/command.h"

namespace parlance::wire_form {

// Without id, conversation and user, which a store keeps in columns.
std::string command_text(const hub::Submission& command);
// Errors: invalid text, or an unknown kind of command, such as a kind of a newer version.
Result<hub::Submission> command_from_text(std::string_view text);

// The error with its code, or the ids of the started turn and the queued prompt.
std::string outcome_text(const hub::CommandOutcome& outcome);
Result<hub::CommandOutcome> outcome_from_text(std::string_view text);

}  // namespace parlance::wire_form
