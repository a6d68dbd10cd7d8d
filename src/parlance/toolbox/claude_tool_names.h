// SPDX-License-Identifier: Apache-2.0
// Claude Code's tools and ours in one table: names, inputs, and conversions in both directions. Hosts of Claude Code guard by
// its names and inputs (hooks, rules, lists), so a served host sees no other names. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/agent/tools.h"

namespace parlance::toolbox {

struct ClaudeTool {
  std::string_view claude;       // "Bash"
  std::string_view ours;         // "run_command"
  std::string_view description;  // For a model.
  std::string (*parameters_json)();
  // invalid_params: a missing part of the input, with the place.
  Result<json::Value> (*to_ours)(const hub::ToolCall& call);
  json::Value (*to_claude)(const json::Value& arguments, const std::string& folder);  // Paths become absolute.
};

std::span<const ClaudeTool> claude_tools();
const ClaudeTool* claude_tool(std::string_view claude);  // Null: none of our tools has this effect.
const ClaudeTool* claude_tool_of_ours(
    std::string_view ours);  // Null: the tool has the same name everywhere (StructuredOutput, mcp__SERVER__TOOL).

// The call in the form of hosts, from either name.
hub::ToolCall claude_call(hub::ToolCall call, const std::string& folder);
// The call in our form. Errors: invalid_params, with the place.
Result<hub::ToolCall> own_call(hub::ToolCall call);

std::string own_tool(const std::string& claude_tool);  // Our name of the tool with the same effect; other names stay.

}  // namespace parlance::toolbox
