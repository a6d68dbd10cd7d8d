// SPDX-License-Identifier: Apache-2.0
// What a host asks for that only Claude Code itself can do, when another agent answers: what it would wait for in vain is refused, of
// the rest it is told. Any thread.
#pragma once

#include <string_view>

#include "parlance/base/result.h"
#include "parlance/protocol/claude/messages.h"
#include "parlance/toolbox/structured_output.h"

namespace parlance::face {

Error no_structured_output(std::string_view where);  // a flag, or a member of initialize
Error no_bypass();                                   // as Claude Code words it
Error no_auto_mode();                                // not even a Claude Code behind us has it: the hub decides in its place

// What `initialize` holds of it; the log says the rest. `output`: takes the schema of structured output; null: there is none.
Result<void> without_claude(const claude::Initialize& request, toolbox::StructuredOutput* output);

}  // namespace parlance::face
