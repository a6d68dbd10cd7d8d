// SPDX-License-Identifier: Apache-2.0
// What Claude Code lets a person choose beside mode and model, and the slash commands that it tells. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "parlance/hub/conversation/conversation.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::driver {

// Every version takes these: how long the model may think (set_max_thinking_tokens).
std::vector<hub::AgentOption> claude_options();

// What to set; nothing: Claude Code's own choice. `think` counts where no length was chosen.
std::optional<std::int64_t> thinking_tokens(const hub::Conversation& conversation);

std::vector<hub::SlashCommand> claude_commands(const wire::Raw& commands);  // of the answer to `initialize`

}  // namespace parlance::driver
