// SPDX-License-Identifier: Apache-2.0
// Gives Claude Code the messages of a conversation from before its first turn. The protocol accepts only messages of the person,
// so the history is text inside the first message. Loop thread only.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/hub/agent/agent.h"

namespace parlance::driver {

// The messages as text, oldest first; their content cannot imitate the end mark.
std::string transcript_of(std::span<const hub::ChatMessage> messages);

// Inserts the earlier messages before the prompt's text, and their attachments before its attachments. Errors: the store failed.
Task<Result<void>> add_past(hub::Turn& turn, hub::Prompt& prompt);

}  // namespace parlance::driver
