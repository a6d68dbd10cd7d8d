// SPDX-License-Identifier: Apache-2.0
// The reason for the end of a turn. The agent (Agent::prompt) or the hub determines the reason, and event::TurnEnd stores it.
// Frontends and drivers map the values to the reasons of their protocols. A value; any thread.
#pragma once

#include <cstdint>

namespace parlance::hub {

// `max_tokens` and `refusal`: the model cut or refused the answer. `cancelled`: a person stopped the turn, or did not let it
// begin. `max_turns`: PromptOptions::most_rounds is reached. `error`: the turn failed, and an `error` event has the details.
enum class StopReason : std::uint8_t { end_turn, max_tokens, refusal, cancelled, max_turns, error };

}  // namespace parlance::hub
