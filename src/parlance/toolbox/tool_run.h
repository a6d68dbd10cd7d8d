// One tool call inside a turn: announced, judged by hooks, policy or a person, run, told to its end. For every agent whose tools we run
// ourselves. Loop thread only.
#pragma once

#include "parlance/async/task.h"
#include "parlance/hub/agent.h"
#include "parlance/hub/tools.h"
#include "parlance/toolbox/tool_hooks.h"

namespace parlance::toolbox {

// Tells the call, as not begun yet. All calls of one answer are announced before the first is carried out: that is how the history
// knows that they belong together.
Task<void> announce_tool(hub::Turn& turn, hub::Tools& tools, hub::ToolCall call);

enum class AfterTool : std::uint8_t { goes_on, turn_ends };  // a hook wants the model asked no more

// What went wrong with the tool is an outcome that the model gets to read; an error here ends the turn (the store failed).
// `sample`: the model of the conversation, for tools that ask it something; none where no model of ours answers. `hooks`: null, where
// nobody has a say before policy.
Task<Result<AfterTool>> carry_out_tool(hub::Turn& turn, hub::Tools& tools, hub::ToolCall call, hub::Sampler sample = {},
                                       ToolHooks* hooks = nullptr);

}  // namespace parlance::toolbox
