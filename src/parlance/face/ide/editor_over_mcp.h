// SPDX-License-Identifier: Apache-2.0
// An editor as tools of an MCP server, for agents that run their tools themselves: what is selected, open and wrong there, and changes that
// the person decides on in the editor. Loop thread only; server and editor outlive what this adds.
//
// editor_propose_change writes nothing: the agent is told what the person made of it, and writes that in its own way, under whatever is asked
// of it there. editor_apply_change is written by the editor, once the person agrees.
#pragma once

#include <string_view>

#include "parlance/hub/editor/editor.h"
#include "parlance/protocol/mcp/server.h"

namespace parlance::face {

void serve_editor_tools(mcp::Server& server, hub::Editor& editor);
std::string_view editor_tools_instructions();  // for the model

}  // namespace parlance::face
