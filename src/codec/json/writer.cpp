#include "codec/json/writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/utf8.h"
#include "codec/json/special.h"

namespace parlance::json {
namespace {

void write_escape(std::string& out, char c) {
  static constexpr char digits[] = "0123456789abcdef";
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    default: {
      const auto byte = static_cast<unsigned char>(c);
      out += "\\u00";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
  }
}

void write_valid_text(std::string& out, std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    const char* const special = find_special(at, end);
    out.append(at, special);
    if (special == end) return;
    write_escape(out, *special);
    at = special + 1;
  }
}

template <class T>
void append_number(std::string& out, T value) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  out.append(text.data(), end);
}

}  // namespace

void write_text(std::string& out, std::string_view text) {
  out += '"';
  if (is_valid_utf8(text)) write_valid_text(out, text);
  else write_valid_text(out, to_valid_utf8(text));
  out += '"';
}

void write_integer(std::string& out, std::int64_t value) { append_number(out, value); }
void write_integer(std::string& out, std::uint64_t value) { append_number(out, value); }

void write_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  std::array<char, 40> text{};
  // From 2^53 up the shortest fixed form may be a 22-digit integer, which readers with 64-bit integers refuse.
  const bool large = std::abs(value) >= 9007199254740992.0;
  const auto [end, error] = large ? std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific)
                                  : std::to_chars(text.data(), text.data() + text.size(), value);
  out.append(text.data(), end);
}

}  // namespace parlance::json
