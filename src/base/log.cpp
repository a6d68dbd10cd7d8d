#include "base/log.h"

#include <array>
#include <chrono>
#include <unistd.h>

#include "base/clock.h"
#include "base/utf8.h"

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

// A line stays a line, whatever a peer put into the value.
void append_plain(std::string& out, std::string_view text) {
  for (const char c : text) out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
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
    line += '}';
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
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace parlance
