// SPDX-License-Identifier: Apache-2.0
// Claude Code's tools and ours, in one table: what each is called, what it takes, and the one as the other, both ways. A host of Claude
// Code guards by those names and inputs (hooks, rules, lists), so where one is served nothing else is told. Pure; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/base/result.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/tools.h"

namespace parlance::toolbox {

struct ClaudeTool {
  std::string_view claude;       // "Bash"
  std::string_view ours;         // "run_command"
  std::string_view description;  // for a model
  std::string (*parameters_json)();
  // invalid_params: the input lacks something, with the place.
  Result<json::Value> (*to_ours)(const hub::ToolCall& call);
  json::Value (*to_claude)(const json::Value& arguments, const std::string& folder);  // paths become absolute
};

std::span<const ClaudeTool> claude_tools();
const ClaudeTool* claude_tool(std::string_view claude);  // null: none of ours does what it does
const ClaudeTool* claude_tool_of_ours(
    std::string_view ours);  // null: it has its name everywhere (StructuredOutput, mcp__SERVER__TOOL)

// The call as hosts know it, whichever of the two names it came with.
hub::ToolCall claude_call(hub::ToolCall call, const std::string& folder);
// … and as we carry it out. Errors: invalid_params, with the place.
Result<hub::ToolCall> own_call(hub::ToolCall call);

std::string own_tool(const std::string& claude_tool);  // what we call the tool that does the same; others keep their names

}  // namespace parlance::toolbox
