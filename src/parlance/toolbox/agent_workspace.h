// SPDX-License-Identifier: Apache-2.0
// Files and terminals that an agent requests from its host (hub/workspace.h). The checks are those of our own tools: the path
// guard, the guarded places, the check of commands, and a person. Rules and modes apply under the names of our tools (read_file,
// write_file, run_command). Loop thread only.
#pragma once

#include <functional>
#include <memory>

#include "parlance/async/loop.h"
#include "parlance/hub/agent/workspace.h"

namespace parlance::toolbox {

// For HubSettings::workspace: one for each opened agent. The loop must outlive the hub.
std::function<std::unique_ptr<hub::Workspace>(hub::WorkspaceHost& host)> agent_workspaces(Loop& loop);

// Lines as agents count them: from 1, without the end of the last line; `limit` 0 is no limit.
std::string lines_of(std::string_view text, std::uint64_t line, std::uint64_t limit);

// The command line of a terminal's request, for the shell and for people. invalid_params: an invalid name of a variable, a zero
// byte. `folder`: the working folder, if different from the conversation's.
Result<std::string> terminal_line(const hub::TerminalRequest& request, const std::string& folder);

}  // namespace parlance::toolbox
