// SPDX-License-Identifier: Apache-2.0
// A memory as an MCP server, so that agents which are not ours remember in it as well: tools memory_search, memory_store and
// memory_forget. Who may call what is the client's rule: it asks its person, as MCP has it. Loop thread only.
#pragma once

#include <memory>

#include "parlance/protocol/mcp/server.h"
#include "parlance/server/memory/memory_of_one.h"

namespace parlance::server {

void serve_memory(mcp::Server& server, std::shared_ptr<MemoryOfOne> memory);

}  // namespace parlance::server
