// SPDX-License-Identifier: Apache-2.0
// The proposal of a Claude Code call, beyond the facts for the policy: its subject, its location, and its editable part. Pure;
// any thread.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "parlance/adapter/claude/call.h"
#include "parlance/hub/agent/tools.h"

namespace parlance::adapter {

hub::CallKind claude_call_kind(std::string_view tool);
std::optional<std::vector<hub::Location>> claude_locations(const ClaudeCall& call);

std::optional<hub::EditablePart> claude_editable(const ClaudeCall& call, const hub::ToolIntent& intent);
// The input with a person's version of the editable part of `intent`.
json::Value claude_edited_input(const ClaudeCall& call, const hub::ToolIntent& intent, std::string_view text);

}  // namespace parlance::adapter
