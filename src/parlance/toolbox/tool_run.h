// SPDX-License-Identifier: Apache-2.0
// One tool call inside a turn: announced, judged by hooks, policy or a person, run, told to its end. For every agent whose tools we run
// ourselves. Loop thread only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parlance/async/task.h"
#include "parlance/hub/agent.h"
#include "parlance/hub/tools.h"
#include "parlance/toolbox/tool_hooks.h"

namespace parlance::toolbox {

// Tells the calls of one answer, as not begun yet: all of them before the first is carried out, and at once, so that no log has only some
// of them. That is how the history knows that they belong together.
Task<void> announce_tools(hub::Turn& turn, hub::Tools& tools, std::vector<hub::ToolCall> calls);
Task<void> announce_tool(hub::Turn& turn, hub::Tools& tools, hub::ToolCall call);  // of an answer with one

enum class AfterTool : std::uint8_t { goes_on, turn_ends };  // a hook wants the model asked no more

// What went wrong with the tool is an outcome that the model gets to read; an error here ends the turn (the store failed).
// A call that may do more than look is told as running, and that is written, before it runs: after a crash it is known which calls may have
// had their effect. They are never run again.
// `sample`: the model of the conversation, for tools that ask it something; none where no model of ours answers. `hooks`: null, where
// nobody has a say before policy.
Task<Result<AfterTool>> carry_out_tool(hub::Turn& turn, hub::Tools& tools, hub::ToolCall call, hub::Sampler sample = {},
                                       ToolHooks* hooks = nullptr);

// Calls of an answer that was cut: they are told as failed, at once, and never run. The model reads why.
void tell_cut_tools(hub::Turn& turn, const std::vector<hub::ToolCall>& calls);

// The end of a call that ran when the program before this one died.
void end_interrupted_tool(hub::Turn& turn, const std::string& call);

}  // namespace parlance::toolbox
