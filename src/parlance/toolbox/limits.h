// SPDX-License-Identifier: Apache-2.0
// The limits of toolbox: the name, the unit and the reason for the number. Values.
#pragma once

namespace parlance::limits {

inline constexpr int claude_structured_output_tries = 5;  // For an answer that fits the host's schema; as Claude Code.

}  // namespace parlance::limits
