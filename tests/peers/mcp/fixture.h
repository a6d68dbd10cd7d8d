// SPDX-License-Identifier: Apache-2.0
// What the conformance suite of the Model Context Protocol wants to find on a server: tools, resources and prompts with the names and
// texts that it looks for.
#pragma once

#include "parlance/protocol/mcp/server.h"

namespace parlance::mcp::fixture {

void add_tools(Server& server);
void add_prompts(Server& server);
void add_resources(Server& server);

}  // namespace parlance::mcp::fixture
