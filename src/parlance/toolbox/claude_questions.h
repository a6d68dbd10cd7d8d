// SPDX-License-Identifier: Apache-2.0
// Questions in the form of Claude Code's tool AskUserQuestion. Agents behind ACP send the same form. Pure; any thread.
#pragma once

#include <vector>

#include "parlance/codec/json/value.h"
#include "parlance/hub/conversation/ask.h"

namespace parlance::toolbox {

// The questions of the list `asked`, in order. Absent or mistyped members count as empty or false.
std::vector<hub::Question> claude_questions(const json::Array& asked);

}  // namespace parlance::toolbox
