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

// A line stays one line, and the terminal of its reader receives no control and no change of direction from a peer.
void append_plain(std::string& out, std::string_view text) {
  std::string spaced;
  for (const char c : text) spaced += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  out += visible_line(spaced);
}

std::atomic<std::uint64_t> lost_lines = 0;

// A pipe that nobody empties would otherwise hold up the whole program, once it is full: its parent may never read what it says. What
// finds no room is lost and counted, and said once there is room again. (A line that is longer than what a pipe promises to take at
// once may still wait; none of ours is.)
bool takes_a_line() {
  pollfd out{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
  return ::poll(&out, 1, 0) != 0;  // an error, too: the write then says what is wrong
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
