// SPDX-License-Identifier: Apache-2.0
// Connections to an MCP server: a started program or an address. Each form is tried in the specification's order for older
// servers. Loop thread only.
#pragma once

#include <memory>

#include "parlance/protocol/mcp/client.h"

namespace parlance::mcp {

// Starts and connects the program. Lines of its stderr go to the log, unless `child.on_stderr_line` is given.
Task<Result<std::unique_ptr<Client>>> connect_child(Loop& loop, ChildSettings child, ClientSettings settings);
// After a refusal of Streamable HTTP, tries the form of 2024-11-05, unless link.way decides otherwise.
Task<Result<std::unique_ptr<Client>>> connect_http(Loop& loop, HttpLinkSettings link, ClientSettings settings);

}  // namespace parlance::mcp
