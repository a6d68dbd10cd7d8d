// SPDX-License-Identifier: Apache-2.0
// One judge for calls of tools that other programs report (Claude Code, agents behind ACP, agents of a runner), and for requests of MCP
// servers. Their words describe the call, and may be wrong or false. The judge turns the reported facts into the intent that policy
// decides on (hub/policy).
//
// The judge trusts no label: a call with a command is an execute call, and a read without a known place has an unknown place.
// The strictest of several places decides. Unreported facts stay unknown to the judge. `judge` blocks briefly to resolve paths.
// Any thread.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "parlance/codec/json/value.h"
#include "parlance/hub/agent/agent.h"
#include "parlance/hub/conversation/tool_call.h"
#include "parlance/toolbox/judged_files.h"

namespace parlance::toolbox {

struct ReportedCall {
  std::string tool{};   // The agent's name of the tool.
  std::string title{};  // A line for the person.
  // The agent's own classification of the call; can only make the verdict stricter.
  hub::ToolKind label = hub::ToolKind::other;
  std::vector<json::Value> inputs{};  // The arguments, of any form and at any place.
  std::vector<std::string> paths{};   // Files named by the agent outside of the arguments.
};

// The effect of the call. The labels `ask` and `memory` are trusted: only callers with knowledge of the program give these
// labels.
hub::ToolIntent judge(const ReportedCall& call, const Folders& folders);
// The same without this machine's disk, for a call on another machine: a place is inside if its name is in `folders` and
// contains no "..". Links on that machine are unknown here.
hub::ToolIntent judge_by_name(const ReportedCall& call, const Folders& folders);
// A request of an MCP server during a call of one of its tools: the kind `permission` wants an answer of the model (sampling), the kind
// `question` wants an answer of the person (elicitation). Plan mode and rules can refuse both. Only a person answers a question.
hub::ToolIntent judge(const hub::AskRequest& request);
// The guarded place that `path` names, without a look at links.
std::optional<hub::GuardedPlace> guarded_by_name(const std::string& path);
// True: the name of the path is in `folders`.
bool is_named_inside(std::string_view path, const Folders& folders);

// The command lines in `input`, each on a line of its own; empty: none. A list of words becomes a line, and `bash -c TEXT`
// becomes TEXT.
std::string command_in(const json::Value& input);
// The folder that a pattern of file names reads: the part before its first wildcard.
std::string folder_of_pattern(const std::string& pattern);
// Files and folders in `input`; relative names belong to its working directory.
std::set<std::string> paths_in(const json::Value& input);

}  // namespace parlance::toolbox
