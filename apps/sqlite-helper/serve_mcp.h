// SPDX-License-Identifier: Apache-2.0
// sqlite-helper --mcp: databases over the Model Context Protocol, on stdin and stdout or as an HTTP server of this machine.
#pragma once

#include "options.h"
#include "parlance/server/sqlite/audit.h"

namespace parlance::app {

// Until the client is gone, or SIGTERM. `audit` may be null. Exit codes as of the program.
Task<int> serve_mcp(Loop& loop, sqlite::Engine& engine, const HelperOptions& options, server::SqliteAudit* audit);

}  // namespace parlance::app
