// SPDX-License-Identifier: Apache-2.0
// Serves an editor as tools of an MCP server, for agents with their own tool loop: selection, open files, diagnostics, and
// proposed changes. Loop thread only; server and editor must outlive the tools.
//
// editor_propose_change writes no file: the agent gets the person's version and writes it itself, under its own permissions.
// The tool editor_apply_change lets the editor write after the person's approval.
#pragma once

#include <string_view>

#include "parlance/hub/editor/editor.h"
#include "parlance/protocol/mcp/server.h"

namespace parlance::face {

void serve_editor_tools(mcp::Server& server, hub::Editor& editor);
std::string_view editor_tools_instructions();  // for the model

}  // namespace parlance::face
