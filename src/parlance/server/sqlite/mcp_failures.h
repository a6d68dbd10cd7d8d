// SPDX-License-Identifier: Apache-2.0
// Failures of databases as MCP tells them: what a tool finds is a result that the model can read, "CODE: message"; what a resource or
// prompt finds is an error of the protocol that names the code in its data. Values; any thread.
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
