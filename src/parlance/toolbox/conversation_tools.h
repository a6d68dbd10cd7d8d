// SPDX-License-Identifier: Apache-2.0
// Tools that are about the conversation itself: asking the person, proposing a plan, keeping the plan up to date. They need no
// permission, because a person answers them, or because they only return text. Loop thread only.
#pragma once

#include <string_view>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/agent/tools.h"

namespace parlance::toolbox {

std::vector<hub::ToolSpec> conversation_tool_specs();
bool is_conversation_tool(std::string_view tool);
Result<hub::ToolIntent> conversation_tool_intent(const hub::ToolCall& call);
// The call has been announced with tool_start, and its arguments were checked by conversation_tool_intent.
Task<Result<void>> run_conversation_tool(hub::Turn& turn, hub::ToolCall call);

}  // namespace parlance::toolbox
