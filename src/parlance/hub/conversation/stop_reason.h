// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace parlance::hub {

// The reason for the end of a turn. A value; any thread. `error`: the turn failed, and an `error` event has the details.
enum class StopReason : std::uint8_t { end_turn, max_tokens, refusal, cancelled, max_turns, error };

}  // namespace parlance::hub
