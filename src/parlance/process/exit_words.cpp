// SPDX-License-Identifier: Apache-2.0
#include "parlance/process/exit_words.h"

#include <string.h>

#include "parlance/base/utf8.h"
#include "parlance/process/stderr_lines.h"

namespace parlance {
namespace {

std::string signal_name(int number) {
  const char* const name = ::sigabbrev_np(number);
  return name != nullptr ? std::string("SIG") + name : "a signal without a name";
}

// Base and transport know no JSON; this is all of it that an error needs.
std::string json_text(BytesView bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : to_valid_utf8(bytes)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20) {
      out += "\\u00";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace

std::string end_in_words(int code, int signal, BytesView stderr_tail, const char* exited, const char* killed) {
  std::string text;
  if (signal != 0) text = killed + std::to_string(signal) + " (" + signal_name(signal) + ")";
  else if (code >= 0) text = exited + std::to_string(code);
  else text = "ended, and somebody else took its exit status";
  if (const BytesView line = last_line(stderr_tail); !line.empty()) text += ": " + to_valid_utf8(line);
  return text;
}

std::string end_as_json(int code, int signal, BytesView stderr_tail) {
  std::string out = "{";
  if (signal != 0) out += "\"signal\":" + std::to_string(signal) + ",\"signal_name\":" + json_text(signal_name(signal)) + ",";
  else if (code >= 0) out += "\"exit_code\":" + std::to_string(code) + ",";
  return out + "\"stderr\":" + json_text(stderr_tail) + "}";
}

}  // namespace parlance
