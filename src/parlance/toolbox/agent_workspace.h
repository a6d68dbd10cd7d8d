// SPDX-License-Identifier: Apache-2.0
// The files and terminals that an agent asks its host for (hub/workspace.h), judged by what judges our own tools: the path guard and the
// guarded places, the check of commands, rules and modes under the names of our tools (read_file, write_file, run_command), a person.
// Loop thread only.
#pragma once

#include <functional>
#include <memory>

#include "parlance/async/loop.h"
#include "parlance/hub/workspace.h"

namespace parlance::toolbox {

// For HubSettings::workspace: one for each agent that is opened. The loop outlives the hub.
std::function<std::unique_ptr<hub::Workspace>(hub::WorkspaceHost& host)> agent_workspaces(Loop& loop);

// Lines as agents count them: from 1, without the end of the last one; `limit` 0 is none.
std::string lines_of(std::string_view text, std::uint64_t line, std::uint64_t limit);

// What a terminal's request runs, as the shell runs it and a person reads it. invalid_params: a name of a variable that is none, a zero
// byte. `folder`: where it is to run, when that is not the conversation's own.
Result<std::string> terminal_line(const hub::TerminalRequest& request, const std::string& folder);

}  // namespace parlance::toolbox
