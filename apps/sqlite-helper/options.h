// SPDX-License-Identifier: Apache-2.0
// The command line of sqlite-helper, parsed. Values.
#pragma once

#include <string>
#include <vector>

#include "parlance/protocol/sqlite_bridge/messages.h"
#include "parlance/sqlite/engine.h"
#include "parlance/sqlite/limits.h"

namespace parlance::app {

enum HelperExit : int { helper_ended = 0, helper_failed = 1, helper_usage = 2 };

inline constexpr const char* any_loopback_port = "127.0.0.1:0";

struct HelperOptions {
  std::string log_level = "info";
  std::string log_format = "text";  // or json
  int protocol_version = sqlite_bridge::version;
  std::uint64_t max_rows = limits::sqlite_rows;
  std::uint64_t max_bytes = limits::sqlite_result_bytes;
  std::int64_t timeout_ms = std::chrono::milliseconds(limits::sqlite_request_time).count();
  std::int64_t busy_timeout_ms = -1;  // of reads, and of writes unless the next is given
  std::int64_t write_busy_timeout_ms = -1;
  std::vector<std::string> allowed_folders{};
  bool strict_paths = false;
  bool read_only = false;
  bool foreign_keys = false;
  std::string audit{};

  struct Mcp {
    bool spoken = false;
    std::string http{};  // ADDR:PORT; empty: stdin and stdout
    std::vector<std::string> databases{};
    bool confirm_writes = false;
    bool strict_arguments = false;
  };
  Mcp mcp{};
};

inline sqlite::EngineSettings engine_settings(const HelperOptions& options) {
  sqlite::EngineSettings settings{.paths = {.allowed_folders = options.allowed_folders, .strict = options.strict_paths},
                                  .timeout = std::chrono::milliseconds(options.timeout_ms),
                                  .read_only = options.read_only};
  settings.paths.relative_paths = !options.mcp.spoken;  // a client has no idea of our working folder
  settings.connections.foreign_keys = options.foreign_keys;
  if (options.busy_timeout_ms >= 0)
    settings.connections.read_busy = settings.connections.write_busy = std::chrono::milliseconds(options.busy_timeout_ms);
  if (options.write_busy_timeout_ms >= 0)
    settings.connections.write_busy = std::chrono::milliseconds(options.write_busy_timeout_ms);
  return settings;
}

int complain_helper(const Error& error, int code);  // one line on stderr; the code

}  // namespace parlance::app
