// SPDX-License-Identifier: Apache-2.0
// Requests of a host with support only in Claude Code, for other agents. Refuses requests whose answer the host needs, and logs
// the rest. Any thread.
#pragma once

#include <string_view>

#include "parlance/base/result.h"
#include "parlance/protocol/claude/messages.h"
#include "parlance/toolbox/structured_output.h"

namespace parlance::face {

Error no_structured_output(std::string_view where);  // a flag, or a member of initialize
Error no_bypass();                                   // with the text of Claude Code
Error no_auto_mode();                                // never supported: the hub decides instead

// Checks `initialize`; the log has the rest. `output`: receives the schema of structured output; null: not supported.
Result<void> without_claude(const claude::Initialize& request, toolbox::StructuredOutput* output);

}  // namespace parlance::face
