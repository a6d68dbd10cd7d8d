// SPDX-License-Identifier: Apache-2.0
// A tool call inside a turn: announced, judged by hooks, policy or a person, run, and ended. For every agent with our tools.
// Loop thread only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/agent/tools.h"
#include "parlance/toolbox/tool_hooks.h"

namespace parlance::toolbox {

// Announces the calls of an answer as pending: all at once, before the first runs. No log therefore has only a part of the
// calls, and the history keeps the calls together.
Task<void> announce_tools(hub::Turn& turn, hub::Tools& tools, std::vector<hub::ToolCall> calls);
Task<void> announce_tool(hub::Turn& turn, hub::Tools& tools, hub::ToolCall call);  // For an answer with a single call.

enum class AfterTool : std::uint8_t { goes_on, turn_ends };  // A hook ends the calls of the model.

// A failure of the tool is an outcome for the model; an error here ends the turn (the store failed). A call with a possible
// effect is stored as running before the run: after a crash, the log shows calls with a possible effect. Such calls never run
// again. `sample`: the model of the conversation, for tools with questions; absent without a model of ours. `hooks`: null
// without hooks.
Task<Result<AfterTool>> carry_out_tool(hub::Turn& turn, hub::Tools& tools, hub::ToolCall call, hub::Sampler sample = {},
                                       ToolHooks* hooks = nullptr);

// Calls of a cut answer: reported as failed, at once, and never run. The model receives the reason.
void report_cut_calls(hub::Turn& turn, const std::vector<hub::ToolCall>& calls);

// The end of a call in progress at the death of the earlier process.
void end_interrupted_tool(hub::Turn& turn, const std::string& call);

}  // namespace parlance::toolbox
