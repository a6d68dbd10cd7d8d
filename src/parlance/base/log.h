// SPDX-License-Identifier: Apache-2.0
// The log: one line for each event to stderr, as text or NDJSON, written by one write(2), so that lines never mix. stdout
// belongs to the protocols. Any thread. The log never contains contents of messages, tokens or keys.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace parlance {

enum class LogLevel { error, warn, info, debug, trace };

// "error" to "trace". False: the word is not a level.
bool parse_log_level(std::string_view word, LogLevel& out);

struct LogSettings {
  LogLevel level = LogLevel::warn;
  bool json = false;
  std::string program = "parlance";  // At the beginning of each line: the name of the process.
};
void set_log(LogSettings settings);  // Only at start-up, before other threads exist.
bool log_enabled(LogLevel level);

struct LogField {
  std::string_view name;
  std::string value;
};
// log(LogLevel::warn, "reply without a call", {{"id", "7"}}) -> "parlance: warn: reply without a call id=7"
void log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields = {});

}  // namespace parlance
