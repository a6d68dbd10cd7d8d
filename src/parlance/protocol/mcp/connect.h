// SPDX-License-Identifier: Apache-2.0
// The ways to an MCP server: a program that is started, an address; each is tried in the order in which the specification wants older
// servers to be found. Loop thread only.
#pragma once

#include <memory>

#include "parlance/protocol/mcp/client.h"

namespace parlance::mcp {

// Starts the program and connects to it; lines of its stderr go to the log unless `child.on_stderr_line` is given.
Task<Result<std::unique_ptr<Client>>> connect_child(Loop& loop, ChildSettings child, ClientSettings settings);
// A server that refuses what Streamable HTTP begins with is tried in the way of 2024-11-05, unless link.way says otherwise.
Task<Result<std::unique_ptr<Client>>> connect_http(Loop& loop, HttpLinkSettings link, ClientSettings settings);

}  // namespace parlance::mcp
