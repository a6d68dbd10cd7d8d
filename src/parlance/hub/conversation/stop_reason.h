// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace parlance::hub {

// The reason for the end of a turn.
enum class StopReason : std::uint8_t { end_turn, max_tokens, refusal, cancelled, max_turns, error };

}  // namespace parlance::hub
