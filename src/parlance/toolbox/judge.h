// SPDX-License-Identifier: Apache-2.0
// One judge for calls of tools that other programs report (Claude Code, agents behind ACP, agents of a runner), and for requests of MCP
// servers. Their words describe the call, and may be wrong or false. The judge turns the reported facts into the intent that policy
// decides on (hub/policy).
//
// It believes no label: a call with a command is an execute call, a read without a known place has an unknown place, and of several
// places the strictest decides. What an agent does not report stays unknown to the judge.
// `judge` blocks for a moment: it looks where paths lead. Any thread.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/codec/json/value.h"
#include "parlance/hub/agent.h"
#include "parlance/hub/conversation/tool_call.h"
#include "parlance/toolbox/judged_files.h"

namespace parlance::toolbox {

struct ReportedCall {
  std::string tool{};                          // the agent's name of it
  std::string title{};                         // one line for the person
  hub::ToolKind label = hub::ToolKind::other;  // the agent's word for what the call does; it can only make the verdict stricter
  std::vector<json::Value> inputs{};           // the arguments, of any shape, wherever the agent puts them
  std::vector<std::string> paths{};            // files that the agent names beside the arguments
};

// What the call would do. `ask` and `memory` as labels are believed: only callers that know the program by its tool names give them.
hub::ToolIntent judge(const ReportedCall& call, const Folders& folders);
// The same without this machine's disk, for a call on another machine: a place is inside where its name lies in `folders` and holds no
// "..". Links on that machine are unknown here.
hub::ToolIntent judge_by_name(const ReportedCall& call, const Folders& folders);
// A request of an MCP server during a call of one of its tools: the kind `permission` wants an answer of the model (sampling), the kind
// `question` wants an answer of the person (elicitation). Plan mode and rules can refuse both. Only a person answers a question.
hub::ToolIntent judge(const hub::AskRequest& request);
// The guarded place that `path` names; links are not looked at.
std::optional<hub::GuardedPlace> guarded_by_name(const std::string& path);
// Lies in one of `folders`, by its name alone.
bool is_named_inside(std::string_view path, const Folders& folders);

// The command lines in `input`, one a line; empty: there is none. A list of words becomes one line, and `bash -c TEXT` becomes TEXT.
std::string command_in(const json::Value& input);
// The folder that a pattern of file names reads: the part before its first wildcard.
std::string folder_of_pattern(const std::string& pattern);
// The files and folders that `input` names; relative names are those of the working directory that it gives.
std::set<std::string> paths_in(const json::Value& input);

}  // namespace parlance::toolbox
