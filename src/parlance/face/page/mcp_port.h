// SPDX-License-Identifier: Apache-2.0
// MCP servers for pages: implemented by the program that connects them. Loop thread only; outlives the page server.
#pragma once

#include "parlance/async/task.h"
#include "parlance/base/result.h"
#include "parlance/protocol/page/mcp_messages.h"

namespace parlance::face {

class McpPort {
 public:
  virtual ~McpPort() = default;
  // Log lines may hold secrets of a server: only for admins.
  virtual page::McpServersValue servers(bool with_log) = 0;
  // The caller has the permission `administer`. Errors: invalid_params, not_found, denied, failed.
  virtual Task<Result<page::McpChangedValue>> change(page::ChangeMcpServer wanted) = 0;
};

}  // namespace parlance::face
