// A memory as an MCP server, so that agents which are not ours remember in it as well: tools memory_search, memory_store and
// memory_forget. Who may call what is the client's rule: it asks its person, as MCP has it. Loop thread only; the store outlives the
// server.
#pragma once

#include <string>

#include "parlance/memory/store.h"
#include "parlance/protocol/mcp/server.h"

namespace parlance::server {

// `user`: whose memory it is (memory/store.h).
void serve_memory(mcp::Server& server, memory::Store& memory, std::string user = {});

}  // namespace parlance::server
