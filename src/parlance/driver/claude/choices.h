// SPDX-License-Identifier: Apache-2.0
// The options of Claude Code beside mode and model, and its slash commands. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "parlance/hub/conversation/prompt.h"
#include "parlance/protocol/claude/messages.h"

namespace parlance::hub {
struct AgentOption;
struct SessionSetup;  // conversation/session_setup.h
}  // namespace parlance::hub

namespace parlance::driver {

// Supported by every version: the length of thinking (set_max_thinking_tokens).
std::vector<hub::AgentOption> claude_options();

// The value to set; no value: Claude Code's default. `think` counts if no length was chosen.
std::optional<std::int64_t> thinking_tokens(const hub::SessionSetup& setup);

std::vector<hub::SlashCommand> claude_commands(const wire::Raw& commands);  // of the answer to `initialize`

}  // namespace parlance::driver
