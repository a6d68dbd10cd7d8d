// SPDX-License-Identifier: Apache-2.0
// sqlite-helper: databases of a person for an editor (NDJSON on stdin and stdout) and for AI clients (MCP).
#pragma once

namespace parlance::app {

// `name` is how the program is called in its help. Exit codes: 0 done, 1 failed, 2 usage.
int run_sqlite_helper(int argc, const char* const* argv, const char* name = "sqlite-helper");

}  // namespace parlance::app
