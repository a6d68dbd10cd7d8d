// SPDX-License-Identifier: Apache-2.0
// Translates the tools of Claude Code for the hub: intents for the policy, titles and diffs for people, plans, questions and modes.
// Pure except for `read`; loop thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/adapter/claude/call.h"
#include "parlance/codec/json/value.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/plan.h"
#include "parlance/protocol/claude/messages.h"
#include "parlance/toolbox/judged_files.h"

namespace parlance::adapter {

// A single line: the path, the command, or the searched text.
std::string claude_title(const ClaudeCall& call);

// `read`: the text of a file, or nothing (too large, missing).
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;
hub::ToolIntent claude_intent(const ClaudeCall& call, const toolbox::Folders& folders, const FileReader& read);

// The change made by a tool, from its result (tool_use_result of the stream).
std::optional<hub::Diff> claude_diff(const json::Value& tool_use_result);

std::optional<std::vector<hub::PlanEntry>> claude_plan(const ClaudeCall& call);      // TodoWrite
json::Value claude_todos(const std::vector<hub::PlanEntry>& plan);                   // … the other way: its input
std::optional<std::vector<hub::Question>> claude_questions(const ClaudeCall& call);  // AskUserQuestion
std::string claude_question_input(const std::vector<hub::Question>& questions);      // the other way: its input as JSON
std::string claude_answers(const ClaudeCall& call, const hub::AskAnswer& answer);    // its updatedInput

// Converts a Claude Code host's mode names for the conversation. An unknown name changes nothing.
hub::Mode hub_mode(std::string_view permission_mode, hub::Mode before);
std::string claude_mode(hub::Mode mode);

// The permission mode of a Claude Code driven by the hub: `plan` in mode plan, otherwise `default`. In its other modes, Claude
// Code decides alone, without the hub's rules.
std::string claude_run_mode(hub::Mode mode);
// The mode of the conversation after Claude Code reports its own. Claude Code can lower the mode to `plan`; only a person raises
// the mode.
hub::Mode lowered_mode(std::string_view mode, hub::Mode before);

}  // namespace parlance::adapter
