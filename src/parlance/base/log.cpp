// SPDX-License-Identifier: Apache-2.0
#include "parlance/base/log.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <poll.h>
#include <unistd.h>

#include "parlance/base/clock.h"
#include "parlance/base/utf8.h"
#include "parlance/base/visible_text.h"

namespace parlance {
namespace {

LogSettings settings;

constexpr std::array<std::string_view, 5> level_names{"error", "warn", "info", "debug", "trace"};

void append_json_text(std::string& out, std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  out += '"';
  for (const char c : to_valid_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += "\\u00";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

// Keeps an entry on one line, and removes control characters and direction changes of a peer from the reader's terminal.
void append_plain(std::string& out, std::string_view text) {
  std::string spaced;
  for (const char c : text) spaced += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  out += visible_line(spaced);
}

std::atomic<std::uint64_t> lost_lines = 0;

// A full pipe without a reader would block the whole program, for example if the parent never reads the output. Lines without
// room are dropped and counted, and the count is logged once room returns. (A line over PIPE_BUF may still block; our lines are
// shorter.)
bool takes_a_line() {
  pollfd out{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
  return ::poll(&out, 1, 0) != 0;  // also true for an error: the write then reports the cause
}

void write_out(std::string line) {
  if (!takes_a_line()) {
    lost_lines.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (const std::uint64_t lost = lost_lines.exchange(0, std::memory_order_relaxed); lost != 0)
    line.insert(0, settings.json
                       ? "{\"level\":\"warn\",\"message\":\"log lines were lost: nobody read them\",\"lines\":\"" +
                             std::to_string(lost) + "\"}\n"
                       : settings.program + ": warn: log lines were lost: nobody read them lines=" + std::to_string(lost) + "\n");
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace

bool parse_log_level(std::string_view word, LogLevel& out) {
  for (std::size_t i = 0; i < level_names.size(); ++i) {
    if (level_names[i] == word) {
      out = static_cast<LogLevel>(i);
      return true;
    }
  }
  return false;
}

void set_log(LogSettings new_settings) { settings = std::move(new_settings); }

bool log_enabled(LogLevel level) { return level <= settings.level; }

void log(LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
  if (!log_enabled(level)) return;
  const std::string_view name = level_names[static_cast<std::size_t>(level)];
  std::string line;
  if (settings.json) {
    line += "{\"time\":\"" + to_rfc3339(WallClock::now()) + "\",\"level\":\"" + std::string(name) + "\",\"program\":";
    append_json_text(line, settings.program);
    line += ",\"message\":";
    append_json_text(line, message);
    for (const LogField& field : fields) {
      line += ',';
      append_json_text(line, field.name);
      line += ':';
      append_json_text(line, field.value);
    }
    line = visible_json(line) + '}';
  } else {
    line += settings.program + ": " + std::string(name) + ": ";
    append_plain(line, message);
    for (const LogField& field : fields) {
      line += ' ';
      line += field.name;
      line += '=';
      append_plain(line, field.value);
    }
  }
  line += '\n';
  write_out(line);
}

}  // namespace parlance
