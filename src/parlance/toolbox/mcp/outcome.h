// SPDX-License-Identifier: Apache-2.0
// The result of an MCP tool as the outcome of a call: pictures become attachments, everything else text. A picture that is broken, too
// large or too much becomes a sentence, and the rest of the result stays. Values; any thread.
#pragma once

#include "parlance/hub/conversation/tool_call.h"
#include "parlance/protocol/mcp/messages.h"

namespace parlance::toolbox {

hub::ToolOutcome outcome_of(mcp::CallToolResult result);

}  // namespace parlance::toolbox
