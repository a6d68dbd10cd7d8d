// SPDX-License-Identifier: Apache-2.0
// A memory as an MCP server for agents of other vendors: tools memory_search, memory_store and memory_forget. As usual in MCP,
// the client asks its person for the approval of calls. Loop thread only.
#pragma once

#include <memory>

#include "parlance/protocol/mcp/server.h"
#include "parlance/server/memory/memory_of_one.h"

namespace parlance::server {

void serve_memory(mcp::Server& server, std::shared_ptr<MemoryOfOne> memory);

}  // namespace parlance::server
