// SPDX-License-Identifier: Apache-2.0
// Failures of databases in MCP. A failed tool call is a result with the text "CODE: message", so that the model can read it. A
// failed resource or prompt is a JSON-RPC error with the code in its data. Values; any thread.
#pragma once

#include "parlance/base/error.h"
#include "parlance/protocol/mcp/messages.h"
#include "parlance/sqlite/failure.h"

namespace parlance::server {

mcp::CallToolResult failed_call(const sqlite::Failure& failure);
mcp::CallToolResult failed_call(std::string what);  // INVALID_REQUEST

// `uri`: of the resource; empty for a prompt.
Error protocol_error(const sqlite::Failure& failure, std::string_view uri);

}  // namespace parlance::server
